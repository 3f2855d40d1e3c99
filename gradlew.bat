@echo off
rem Runs the Gradle that gradle\wrapper pins. Unlike gradlew it installs nothing else: a JDK and Rust must be there.
setlocal
cd /d "%~dp0"
set "java=java.exe"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
"%java%" -classpath gradle\wrapper\gradle-wrapper.jar org.gradle.wrapper.GradleWrapperMain %*
exit /b %ERRORLEVEL%
