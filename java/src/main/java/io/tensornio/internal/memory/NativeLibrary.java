package io.tensornio.internal.memory;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;

/**
 * Finds and loads the native library, from the first of: the path in the system property {@code tensornio.library}; the
 * application itself, on Android; the jar with the classifier of this platform.
 *
 * <p>A library file can be loaded by one class loader only. So what comes from a jar is loaded as a copy of its own, in a directory
 * that only this user can read, and two applications in one JVM do not disturb each other.
 */
final class NativeLibrary {
    /** The system property with the path of the library. */
    static final String PROPERTY = "tensornio.library";

    private static final String NAME = "tensornio";
    private static final String PREFIX = "tensornio-native-";
    /** Long enough for a copy that is being made by another JVM to be loaded. */
    private static final long SWEEP_AFTER_MILLIS = 60_000;

    private NativeLibrary() {
    }

    /**
     * Loads the library for the class loader of this class.
     *
     * @throws UnsatisfiedLinkError if there is none for this platform, it is not of this version, or this Java refuses it; the message says what
     *     to do
     */
    static void load() {
        String source;
        try {
            source = loadFromAnywhere();
        } catch (RuntimeException e) {
            if (!e.getClass().getName().equals("java.lang.IllegalCallerException")) {       // which Java 8 does not have
                throw e;
            }
            throw linkError("this Java loads native libraries only for code that it was told of: start it with "
                + "--enable-native-access=ALL-UNNAMED, or with --enable-native-access=io.tensornio if TensorNIO is on the module path", e);
        }
        checkVersion(Native.version(), Version.VERSION, source);
        Native.setLogLevel(Log.WARNING);        // until memory is taken: a logger that is asked while classes are initialised stops all threads
    }

    private static String loadFromAnywhere() {
        String path = System.getProperty(PROPERTY);
        if (path != null && !path.isEmpty()) {
            return loadFrom(path);
        }
        if (isAndroid()) {
            System.loadLibrary(NAME);
            return "the application";
        }
        return loadFromClassPath(NativeLibrary.class.getClassLoader());
    }

    private static String loadFrom(String path) {
        Path file = Paths.get(path).toAbsolutePath();
        if (!Files.isRegularFile(file)) {
            throw new UnsatisfiedLinkError("the system property " + PROPERTY + " says " + path + ", where there is no file");
        }
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            if (!String.valueOf(e.getMessage()).contains("already loaded in another classloader")) {
                throw e;
            }
            try (InputStream in = Files.newInputStream(file)) {
                loadCopy(in, file.toString());
            } catch (IOException io) {
                throw linkError("cannot read the native library " + file + ": " + io, io);
            }
        }
        return file.toString();
    }

    private static String loadFromClassPath(ClassLoader loader) {
        String platform = platform(System.getProperty("os.name"), System.getProperty("os.arch"), isMusl());
        String resource = resource(platform);
        // Not Class.getResourceAsStream: on the module path it does not see what another module has under META-INF.
        try (InputStream in = loader == null ? ClassLoader.getSystemResourceAsStream(resource) : loader.getResourceAsStream(resource)) {
            if (in == null) {
                throw new UnsatisfiedLinkError(missing(platform, resource, loader));
            }
            loadCopy(in, resource);
        } catch (IOException e) {
            throw linkError("cannot read the native library " + resource + ": " + e, e);
        }
        return resource;
    }

    private static String missing(String platform, String resource, ClassLoader loader) {
        return "no native library of TensorNIO for " + platform + ": " + resource + " is not on the class path of " + loader
            + ". Add io.tensornio:tensornio:" + Version.VERSION + " with the classifier " + platform
            + ", or give the path of the library in the system property " + PROPERTY;
    }

    /**
     * Where the jar of a platform has the library.
     *
     * @param platform the platform's name
     * @return the name of the resource
     */
    static String resource(String platform) {
        return "META-INF/native/" + platform + "/" + System.mapLibraryName(NAME);
    }

    /**
     * The name of a platform: the classifier of its jar, and the directory inside.
     *
     * @param osName the system property {@code os.name}
     * @param osArch the system property {@code os.arch}
     * @param musl whether the C library is musl
     * @return the name, such as {@code linux-x86_64}
     */
    static String platform(String osName, String osArch, boolean musl) {
        String name = osName.toLowerCase(Locale.ROOT);
        String os = name.startsWith("mac") || name.startsWith("darwin") ? "osx"
            : name.startsWith("windows") ? "windows"
            : name.replaceAll("\\W", "");
        String arch = osArch.toLowerCase(Locale.ROOT);
        if (arch.equals("amd64") || arch.equals("x64") || arch.equals("x86-64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64")) {
            arch = "aarch64";
        }
        return os + "-" + arch + (musl ? "-musl" : "");
    }

    /**
     * Which C library this process runs on; that musl is installed says nothing, a glibc system may have it, too.
     *
     * @return whether it is musl
     */
    static boolean isMusl() {
        Path maps = Paths.get("/proc/self/maps");
        if (!Files.isReadable(maps)) {
            return false;
        }
        try (BufferedReader lines = Files.newBufferedReader(maps, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("/ld-musl-")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            Log.log(Log.DEBUG, "cannot read " + maps + ": taken for a system with glibc", e);
            return false;
        }
    }

    private static boolean isAndroid() {
        return "Dalvik".equals(System.getProperty("java.vm.name"));
    }

    private static boolean isWindows() {
        return System.getProperty("os.name").startsWith("Windows");
    }

    private static void loadCopy(InputStream library, String source) {
        Path base = Paths.get(System.getProperty("java.io.tmpdir"));
        if (isWindows()) {
            // A loaded file cannot be deleted there: the next start does it.
            sweep(base, FileTime.fromMillis(System.currentTimeMillis() - SWEEP_AFTER_MILLIS));
        }
        try {
            Path directory = makeDirectory(base);
            Path copy = directory.resolve(System.mapLibraryName(NAME));
            try {
                Files.copy(library, copy);
                System.load(copy.toAbsolutePath().toString());
            } catch (UnsatisfiedLinkError e) {
                throw linkError("the copy of " + source + " in " + base + " cannot be loaded: " + e.getMessage()
                    + ". If programs may not be run from there, set the system property java.io.tmpdir to where they may, or give the path of the "
                    + "library in " + PROPERTY, e);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw linkError("cannot copy " + source + " to " + base + ": " + e, e);
        }
    }

    /**
     * Makes a directory for a copy, where nobody else can put another library in its place.
     *
     * @param base where to make it
     * @return the directory
     * @throws IOException if that fails
     */
    static Path makeDirectory(Path base) throws IOException {
        if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            return Files.createTempDirectory(base, PREFIX);
        }
        return Files.createTempDirectory(base, PREFIX,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    /**
     * Deletes the copies that earlier JVMs left. One that is in use stays, since the system refuses.
     *
     * @param base where the copies are
     * @param before how old they must be: a younger one may be about to be loaded
     */
    static void sweep(Path base, FileTime before) {
        try (DirectoryStream<Path> copies = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path directory : copies) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                    && Files.getLastModifiedTime(directory, LinkOption.NOFOLLOW_LINKS).compareTo(before) < 0) {
                    delete(directory);
                }
            }
        } catch (IOException | RuntimeException e) {
            Log.log(Log.DEBUG, "cannot look for old copies of the native library in " + base, e);
        }
    }

    /** Deletes a directory with a copy in it, and nothing else that somebody may have put there. */
    private static void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(System.mapLibraryName(NAME)));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            Log.log(Log.DEBUG, "cannot delete " + directory + " now", e);
        }
    }

    /**
     * Checks that library and jar were built together: nothing is promised about the calls between others.
     *
     * @param library the version of the library
     * @param jar the version of the Java classes
     * @param source where the library came from
     * @throws UnsatisfiedLinkError if they differ
     */
    static void checkVersion(String library, String jar, String source) {
        if (!library.equals(jar)) {
            throw new UnsatisfiedLinkError("the native library " + source + " has the version " + library
                + ", the Java classes of TensorNIO have " + jar + ": use the same version of both");
        }
    }

    private static UnsatisfiedLinkError linkError(String message, Throwable cause) {
        UnsatisfiedLinkError error = new UnsatisfiedLinkError(message);
        error.initCause(cause);
        return error;
    }
}
