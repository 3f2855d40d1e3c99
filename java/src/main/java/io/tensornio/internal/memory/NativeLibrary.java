package io.tensornio.internal.memory;

import io.tensornio.TensorNioInternalError;
import io.tensornio.spi.NativeLibraryProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * Finds and loads the native library, from the first of: the path in the system property {@code tensornio.library}; the
 * application itself, on Android; the native jar of this platform, on the class path or as a module; a directory in {@code java.library.path}.
 */
final class NativeLibrary {
    /** The system property with the path of the library. */
    static final String PROPERTY = "tensornio.library";

    private static final String NAME = "tensornio";
    private static final String FILE = System.mapLibraryName(NAME);
    private static final String INSTALL = "or install the library: in a directory of java.library.path, or with its path in the system property "
        + PROPERTY;

    private NativeLibrary() {
    }

    /**
     * Loads the library for the class loader of this class.
     *
     * @throws UnsatisfiedLinkError if there is no library for this platform, its version differs, or this Java refuses
     *     it; the message says what to do
     */
    static void load() {
        String source;
        try {
            checkNames(NativeMemory.class, TensorNioInternalError.class);
            source = loadFromAnywhere();
        } catch (NoClassDefFoundError e) {
            throw linkError("native code needs a class that is not there: " + e.getMessage() + ". A jar that was minimised must keep what is in "
                + "the package io.tensornio and in those within it", e);
        } catch (RuntimeException e) {
            if (!e.getClass().getName().equals("java.lang.IllegalCallerException")) {       // which Java 8 does not have
                throw e;
            }
            throw linkError("this Java loads native libraries only for code that it was told of: start it with "
                + "--enable-native-access=ALL-UNNAMED, or with --enable-native-access=io.tensornio if TensorNIO is on the module path", e);
        }
        checkVersion(NativeMemory.version(), Version.VERSION, source);
        NativeMemory.setLogLevel(Log.WARNING);        // until memory is allocated: asking the logger in a class initialiser could block all threads
    }

    /**
     * Checks that classes have the names by which native code finds them. That they are arguments keeps them in jars of which a tool removes what
     * nobody refers to.
     *
     * @throws UnsatisfiedLinkError if one was renamed
     */
    static void checkNames(Class<?>... found) {
        for (Class<?> one : found) {
            // Made of parts, since tools that relocate classes change constants, too.
            if (!one.getName().startsWith(String.join(".", "io", "tensornio", ""))) {
                throw new UnsatisfiedLinkError("native code finds classes by their names, and " + one.getName() + " is not where it was: the tool "
                    + "that relocates packages must leave out that of TensorNIO, and one that renames classes must keep its names");
            }
        }
    }

    private static String loadFromAnywhere() {
        String path = System.getProperty(PROPERTY);
        if (path != null && !path.isEmpty()) {
            return loadFromProperty(path);
        }
        if (Platform.isAndroid()) {
            System.loadLibrary(NAME);
            return "the application";
        }
        String platform = Platform.current();
        ClassLoader loader = NativeLibrary.class.getClassLoader();
        UnsatisfiedLinkError refusal;
        try (InputStream jar = open(platform, loader)) {
            if (jar != null) {
                String resource = resource(platform);
                loadCopy(jar, resource);
                return resource;
            }
            refusal = missing(platform, loader);
        } catch (IOException e) {
            refusal = linkError("cannot read " + resource(platform) + ": " + e, e);
        } catch (UnsatisfiedLinkError e) {
            refusal = e;
        }
        return loadFromLibraryPath(refusal);
    }

    private static String loadFromProperty(String path) {
        Path file;
        try {
            file = Paths.get(path).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw linkError("the system property " + PROPERTY + " says " + path + ", which" + noPath(), e);
        }
        if (!Files.isRegularFile(file)) {
            throw new UnsatisfiedLinkError("the system property " + PROPERTY + " says " + path + ", where there is no file");
        }
        loadFrom(file);
        return file.toString();
    }

    /** Falls back to an installed library if the jar cannot be read, or its copy cannot be loaded. */
    private static String loadFromLibraryPath(UnsatisfiedLinkError refusal) {
        for (String directory : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
            Path file = installed(directory);
            if (file != null && !directory.isEmpty() && Files.isRegularFile(file)) {
                loadFrom(file);
                return file.toString();
            }
        }
        throw refusal;
    }

    private static Path installed(String directory) {
        try {
            return Paths.get(directory).resolve(FILE).toAbsolutePath();
        } catch (InvalidPathException e) {
            Log.log(Log.DEBUG, "java.library.path names " + directory + ", which" + noPath(), e);
            return null;
        }
    }

    /** What is wrong with a name that is no path. */
    private static String noPath() {
        return " is no path that Java can use here: its characters must be in the encoding of the locale, " + System.getProperty("sun.jnu.encoding")
            + ". Start Java with LC_ALL=C.UTF-8, say, or use another folder";
    }

    private static void loadFrom(Path file) {
        try {
            System.load(file.toString());
        } catch (UnsatisfiedLinkError e) {
            if (!String.valueOf(e.getMessage()).contains("already loaded in another classloader")) {
                throw linkError("the native library " + file + " cannot be loaded: " + e.getMessage() + advice(e), e);
            }
            try (InputStream in = Files.newInputStream(file)) {
                loadCopy(in, file.toString());
            } catch (IOException io) {
                throw linkError("cannot read the native library " + file + ": " + io, io);
            }
        }
    }

    private static void loadCopy(InputStream library, String source) {
        try {
            LibraryCopy.load(library, FILE);
        } catch (UnsatisfiedLinkError e) {
            throw linkError("the copy of " + source + " in " + LibraryCopy.directory() + " cannot be loaded: " + e.getMessage()
                + advice(e), e);
        } catch (InvalidPathException e) {
            throw linkError("cannot copy " + source + " to " + System.getProperty("java.io.tmpdir") + ", which" + noPath()
                + ": set the system property "
                + "java.io.tmpdir, " + INSTALL, e);
        } catch (IOException e) {
            throw linkError("cannot copy " + source + " to " + LibraryCopy.directory() + ": " + e
                + ". Set the system property java.io.tmpdir to a directory that can be written, " + INSTALL, e);
        }
    }

    /** Advice for a library that the system refuses to load. */
    private static String advice(UnsatisfiedLinkError refusal) {
        String said = String.valueOf(refusal.getMessage());
        if (said.contains("GLIBC_")) {
            return ". The C library of this system is older than what the native library needs";
        }
        return ". If programs may not be run from there (noexec), set the system property java.io.tmpdir to where they may, " + INSTALL
            + ". Else the library may be one for another processor than " + System.getProperty("os.arch") + ", which is this JVM's";
    }

    /** The library in the native jar of the platform; null if there is no such jar. */
    private static InputStream open(String platform, ClassLoader loader) {
        InputStream inPath = openIn(loader, resource(platform));
        if (inPath != null) {
            return inPath;
        }
        // In a module layer each module may have its own class loader.
        for (NativeLibraryProvider provider : ServiceLoader.load(NativeLibraryProvider.class, loader)) {
            if (provider.platform().equals(platform)) {
                return provider.getClass().getResourceAsStream("/" + resource(platform));
            }
        }
        return null;
    }

    /** Not Class.getResourceAsStream: on the module path it does not find resources of another module under META-INF. */
    private static InputStream openIn(ClassLoader loader, String resource) {
        return loader == null ? ClassLoader.getSystemResourceAsStream(resource) : loader.getResourceAsStream(resource);
    }

    private static UnsatisfiedLinkError missing(String platform, ClassLoader loader) {
        URL unreadable = find(loader, resource(platform));
        if (unreadable != null) {
            String text = unreadable.toString();
            String why = text.indexOf("!/") == text.lastIndexOf("!/") ? ". Copy the jar anew, "
                : ": where a folder's name ends in an exclamation mark, Java takes that for the end of the jar's name. Rename the folder, ";
            return new UnsatisfiedLinkError("cannot read the native library " + text + why + INSTALL);
        }
        String others = Platform.PUBLISHED.stream().filter(other -> has(loader, other)).collect(Collectors.joining(", "));
        String there = others.isEmpty() ? "" : ", only what is for " + others;
        String version = Version.VERSION;
        String add = Platform.PUBLISHED.contains(platform)
            ? "Add io.tensornio:tensornio:" + version + " with the classifier " + platform + ", or io.tensornio:tensornio-platform:" + version
                + ", which brings all platforms; an image made by jlink needs --add-modules " + Platform.module(platform) + ". "
            : "There are jars for " + String.join(", ", Platform.PUBLISHED) + "; for others, build the library. ";
        return new UnsatisfiedLinkError("no native library of TensorNIO for " + platform + ": neither the class path nor the module path of " + loader
            + " has " + resource(platform) + there + ". " + add + "An installed library is found in java.library.path, or by the system property "
            + PROPERTY + ", its path");
    }

    private static boolean has(ClassLoader loader, String platform) {
        String file = platform.startsWith("windows") ? NAME + ".dll" : "lib" + NAME + (platform.startsWith("osx") ? ".dylib" : ".so");
        return find(loader, Platform.resource(platform, file)) != null;
    }

    private static URL find(ClassLoader loader, String resource) {
        return loader == null ? ClassLoader.getSystemResource(resource) : loader.getResource(resource);
    }

    /**
     * The path of the library in the jar of a platform.
     *
     * @param platform the platform's name
     * @return the name of the resource
     */
    static String resource(String platform) {
        return Platform.resource(platform, FILE);
    }

    /**
     * Checks that library and jar have the same version: there is no compatibility between versions.
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
