@echo off
rem Runs the Gradle that gradle\wrapper pins. Unlike gradlew it installs nothing else: a JDK and Rust must be there.
setlocal
cd /d "%~dp0"
set "java=java.exe"
if defined JAVA_HOME set "java=%JAVA_HOME%\bin\java.exe"
"%java%" -version >nul 2>&1
if errorlevel 1 (
    echo gradlew: this needs a JDK 17 to 25, on the PATH or in JAVA_HOME>&2
    exit /b 1
)
"%java%" %JAVA_OPTS% %GRADLE_OPTS% -classpath gradle\wrapper\gradle-wrapper.jar org.gradle.wrapper.GradleWrapperMain %*
exit /b %ERRORLEVEL%
