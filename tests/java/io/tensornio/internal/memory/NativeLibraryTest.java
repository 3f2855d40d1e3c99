package io.tensornio.internal.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the library comes from, what happens when it does not, and that each class loader has its own. */
class NativeLibraryTest {
    @TempDir
    Path temp;

    private static String here() {
        return Platform.current();
    }

    /** A directory like the native jar of this platform, unpacked. */
    private Path nativeJar(byte[] library) throws IOException {
        Path root = Files.createTempDirectory(temp, "jar");
        Path file = root.resolve(NativeLibrary.resource(here()));
        Files.createDirectories(file.getParent());
        Files.write(file, library);
        return root;
    }

    private static byte[] library() throws IOException {
        String path = System.getProperty(NativeLibrary.PROPERTY);
        if (path != null) {
            return Files.readAllBytes(Paths.get(path));
        }
        try (InputStream in = NativeMemory.class.getClassLoader().getResourceAsStream(NativeLibrary.resource(here()))) {
            assertNotNull(in);
            java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
            byte[] part = new byte[1 << 16];
            for (int n = in.read(part); n >= 0; n = in.read(part)) {
                out.write(part, 0, n);
            }
            return out.toByteArray();
        }
    }

    /** What is left of copies in the directory that stands in for the system's temporary one. */
    private interface Body {
        void run() throws Throwable;
    }

    private List<Path> leftBy(Body body) throws Throwable {
        Path directory = Files.createTempDirectory(temp, "tmp");
        String before = System.setProperty("java.io.tmpdir", directory.toString());
        try {
            body.run();
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.collect(Collectors.toList());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, false, linux-x86_64",
        "Linux, x86_64, true, linux-x86_64-musl",
        "Linux, aarch64, false, linux-aarch_64",
        "Linux, i386, false, linux-i386",
        "Linux, arm, false, linux-arm",
        "Mac OS X, x86_64, false, osx-x86_64",
        "Mac OS X, aarch64, false, osx-aarch_64",
        "Darwin, arm64, false, osx-aarch_64",
        "Windows Server 2022, amd64, false, windows-x86_64",
        "Windows 11, AMD64, false, windows-x86_64",
        "Linux, riscv64, false, linux-riscv64",
        "Sun OS, sparcv9, false, sunos-sparcv9",
    })
    void platformsHaveTheNamesOfTheirJars(String os, String arch, boolean musl, String name) {
        assertEquals(name, Platform.name(os, arch, musl));
    }

    @Test
    void theBuildNamesTheJarOfThisPlatformAsItIsLookedFor() {
        assertEquals(here(), System.getProperty("tensornio.test.platform"));
    }

    /** What native code can be made to do wrong is in the library of these tests alone. */
    @Test
    void theLibraryThatIsPublishedHasNoFaults() throws IOException {
        assertFalse(new String(library(), StandardCharsets.ISO_8859_1).contains("NativeFaults"));
    }

    @Test
    @Tag("faults")
    void theLibraryOfTheTestsOfFaultsHasThem() throws IOException {
        assertTrue(new String(library(), StandardCharsets.ISO_8859_1).contains("NativeFaults"));
    }

    @Test
    void whatGivesMemoryBackIsLinkedWithoutACall() {
        String printed = Forked.with("-verbose:jni").run(BudgetProgram.class, "max");
        for (String method : new String[] {"close", "release", "discard", "discardStale"}) {
            assertTrue(printed.contains("Registering JNI native method io.tensornio.internal.memory.NativeMemory." + method + "]"), printed);
        }
    }

    @Test
    void aMissingLibrarySaysWhatWasLookedForAndWhatToAdd() {
        UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(temp));
        for (String part : new String[] {
            here(), "META-INF/native/" + here() + "/" + System.mapLibraryName("tensornio"), "URLClassLoader",
            "io.tensornio:tensornio:" + Version.VERSION, "classifier " + here(), "tensornio.library"}) {
            assertTrue(error.getMessage().contains(part), part + " in: " + error.getMessage());
        }
    }

    /** Loads the library, and prints why it cannot. */
    static final class Refused {
        private Refused() {
        }

        public static void main(String[] arguments) {
            System.out.println(assertThrows(UnsatisfiedLinkError.class, NativeMemory::version).getMessage());
        }
    }

    @Test
    void aJavaThatRefusesNativeCodeNeedsAnOption() {
        assumeTrue(Forked.feature() >= 24, "can be told to refuse native code");
        String printed = Forked.with("--illegal-native-access=deny").withoutNativeAccess().run(Refused.class);
        assertTrue(printed.contains("--enable-native-access=ALL-UNNAMED"), printed);
        assertTrue(printed.contains("--enable-native-access=io.tensornio"), printed);
    }

    /** What is said where copies of the library go to such a folder. */
    private String refusedWithTheJarAnd(String mountOptions) throws IOException {
        Path folder = Files.createDirectory(temp.resolve("mounted"));
        assumeTrue(Forked.canMount(folder), "may mount nothing here");
        return Forked.with("-D" + NativeLibrary.PROPERTY + "=", "-Xbootclasspath/a:" + nativeJar(library()), "-Djava.io.tmpdir=" + folder)
            .mounting(mountOptions, folder).run(Refused.class);
    }

    @Test
    void aFolderFromWhichNoProgramsMayBeRunIsExplained() throws IOException {
        String printed = refusedWithTheJarAnd("noexec");
        for (String part : new String[] {"mounted cannot be loaded", "(noexec), set the system property java.io.tmpdir", "java.library.path"}) {
            assertTrue(printed.contains(part), part + " in: " + printed);
        }
    }

    @Test
    void aReadOnlyFileSystemIsExplained() throws IOException {
        String printed = refusedWithTheJarAnd("ro");
        for (String part : new String[] {"cannot copy", "mounted: ", "Read-only file system", "java.io.tmpdir", "java.library.path"}) {
            assertTrue(printed.contains(part), part + " in: " + printed);
        }
    }

    /** Half a character is in no encoding; a locale of ASCII alone lacks many whole ones. */
    @Test
    void aTemporaryFolderThatTheLocaleCannotEncodeIsExplained() throws IOException {
        Path jar = nativeJar(library());
        UnsatisfiedLinkError error = withProperty("java.io.tmpdir", temp + "/gr\ud800n",
            () -> assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(jar)));
        for (String part : new String[] {
            "cannot copy", System.getProperty("sun.jnu.encoding"), "LC_ALL=C.UTF-8", "java.io.tmpdir", "java.library.path"}) {
            assertTrue(error.getMessage().contains(part), part + " in: " + error.getMessage());
        }
        // Of the other folders it is one that is passed over.
        Path installed = Files.createDirectories(temp.resolve("instead"));
        Files.write(installed.resolve(System.mapLibraryName("tensornio")), library());
        String path = "gr\ud800n" + File.pathSeparator + installed;
        withProperty("java.library.path", path, () -> withProperty("java.io.tmpdir", temp + "/gr\ud800n", () -> {
            try (SeparateLibrary library = SeparateLibrary.loadFrom(jar)) {
                assertEquals(Version.VERSION, library.version());
            }
            return null;
        }));
    }

    @Test
    void aJarInAFolderThatEndsInAnExclamationMarkIsExplained() throws IOException {
        Path jar = Files.createDirectories(temp.resolve("wow!")).resolve("native.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry(NativeLibrary.resource(here())));
            zip.write(new byte[1]);
            zip.closeEntry();
        }
        UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(jar));
        for (String part : new String[] {"wow!", "ends in an exclamation mark", "Rename the folder", "java.library.path"}) {
            assertTrue(error.getMessage().contains(part), part + " in: " + error.getMessage());
        }
    }

    /** A tool that removes what no class refers to must not find it in vain, and one that removes it all the same is named. */
    @Test
    void aClassThatOnlyNativeCodeNeedsIsKeptOrMissed() throws Throwable {
        URL classes = NativeMemory.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader without = new URLClassLoader(new URL[] {classes}, ClassLoader.getSystemClassLoader().getParent()) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.endsWith(".TensorNioInternalError")) {
                    throw new ClassNotFoundException(name);
                }
                return super.findClass(name);
            }
        };
        UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> Class.forName(NativeMemory.class.getName(), true, without));
        for (String part : new String[] {"TensorNioInternalError", "minimised", "must keep"}) {
            assertTrue(error.getMessage().contains(part), part + " in: " + error.getMessage());
        }
        try (InputStream file = NativeLibrary.class.getResourceAsStream("NativeLibrary.class")) {
            byte[] bytes = new byte[1 << 16];
            int length = 0;
            for (int n; (n = file.read(bytes, length, bytes.length - length)) > 0;) {
                length += n;
            }
            assertTrue(new String(bytes, 0, length, StandardCharsets.ISO_8859_1).contains("io/tensornio/TensorNioInternalError"), "it refers to it");
        }
    }

    @Test
    void classesThatWereRelocatedAreNamed() {
        NativeLibrary.checkNames(NativeMemory.class);
        UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> NativeLibrary.checkNames(NativeMemory.class, String.class));
        assertTrue(error.getMessage().contains("java.lang.String is not where it was"), error.getMessage());
    }

    /** Programs that are linked with it ask for it by this name, and not by the path that it had then. */
    @Test
    void theLibraryOfLinuxHasAName() throws IOException {
        assumeTrue(here().startsWith("linux"), "others have such names, too");
        assertTrue(new String(library(), StandardCharsets.ISO_8859_1).contains("\0libtensornio.so\0"));
    }

    @Test
    void aPathWithoutAFileIsNamed() {
        Path absent = temp.resolve("absent.so");
        String before = System.setProperty(NativeLibrary.PROPERTY, absent.toString());
        try {
            UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, SeparateLibrary::load);
            assertTrue(error.getMessage().contains(absent.toString()), error.getMessage());
            assertTrue(error.getMessage().contains("tensornio.library"), error.getMessage());
        } finally {
            if (before == null) {
                System.clearProperty(NativeLibrary.PROPERTY);
            } else {
                System.setProperty(NativeLibrary.PROPERTY, before);
            }
        }
    }

    @Test
    void jarsOfOtherPlatformsAreNamed() throws IOException {
        String other = here().startsWith("windows") ? "linux-aarch_64" : "windows-x86_64";
        Path file = temp.resolve(Platform.resource(other, other.startsWith("windows") ? "tensornio.dll" : "libtensornio.so"));
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[1]);
        UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(temp));
        assertTrue(error.getMessage().contains("only what is for " + other + ". "), error.getMessage());
    }

    @Test
    void aFolderThatTakesNoCopyIsNamed() throws IOException {
        Path jar = nativeJar(library());
        Path absent = temp.resolve("absent");
        UnsatisfiedLinkError error = withProperty("java.io.tmpdir", absent,
            () -> assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(jar)));
        for (String part : new String[] {"cannot copy", absent.toString(), "java.io.tmpdir", "java.library.path", "tensornio.library"}) {
            assertTrue(error.getMessage().contains(part), part + " in: " + error.getMessage());
        }
    }

    @Test
    void anInstalledLibraryIsFoundWithoutAJarAndWhereTheJarCannotBeUsed() throws Throwable {
        Path installed = Files.createDirectories(temp.resolve("installed"));
        Files.write(installed.resolve(System.mapLibraryName("tensornio")), library());
        Path jar = nativeJar(library());
        Path nothing = Files.createDirectories(temp.resolve("nothing"));
        withProperty("java.library.path", nothing + File.pathSeparator + installed, () -> {
            try (SeparateLibrary library = SeparateLibrary.loadFrom(nothing)) {
                assertEquals(Version.VERSION, library.version());
            }
            // Another class loader has it by now, so this is a copy.
            try (SeparateLibrary library = SeparateLibrary.loadFrom(nothing)) {
                assertEquals(Version.VERSION, library.version());
            }
            return null;
        });
        Path again = Files.createDirectories(temp.resolve("again"));
        Files.write(again.resolve(System.mapLibraryName("tensornio")), library());
        withProperty("java.library.path", again, () -> withProperty("java.io.tmpdir", temp.resolve("absent"), () -> {
            try (SeparateLibrary library = SeparateLibrary.loadFrom(jar)) {
                assertEquals(Version.VERSION, library.version());
            }
            return null;
        }));
    }

    private interface Call<T> {
        T call() throws Throwable;
    }

    private static <T> T withProperty(String name, Object value, Call<T> call) {
        String before = System.setProperty(name, value.toString());
        try {
            return call.call();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        } finally {
            System.setProperty(name, before);
        }
    }

    @Test
    void aLibraryOfAnotherMachineIsNamedAndLeavesNothingBehind() throws Throwable {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "the machine's number in the file's head is that of ELF");
        byte[] library = library();
        library[18] = (byte) 0xaa;
        Path jar = nativeJar(library);
        assertEquals(Collections.emptyList(), leftBy(() -> {
            UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(jar));
            assertTrue(error.getMessage().contains(NativeLibrary.resource(here())), error.getMessage());
            assertTrue(error.getMessage().contains("java.io.tmpdir"), error.getMessage());
            assertNotNull(error.getCause());
        }));
    }

    @Test
    void aTemporaryDirectoryThatIsNotThereIsNamed() throws Throwable {
        Path jar = nativeJar(library());
        Path absent = temp.resolve("absent");
        String before = System.setProperty("java.io.tmpdir", absent.toString());
        try {
            UnsatisfiedLinkError error = assertThrows(UnsatisfiedLinkError.class, () -> SeparateLibrary.loadFrom(jar));
            assertTrue(error.getMessage().contains(absent.toString()), error.getMessage());
        } finally {
            System.setProperty("java.io.tmpdir", before);
        }
    }

    @Test
    void anotherVersionIsRefused() {
        NativeLibrary.checkVersion("0.1.0", "0.1.0", "here");
        UnsatisfiedLinkError error =
            assertThrows(UnsatisfiedLinkError.class, () -> NativeLibrary.checkVersion("0.1.0", "0.2.0", "/lib/there.so"));
        for (String part : new String[] {"0.1.0", "0.2.0", "/lib/there.so"}) {
            assertTrue(error.getMessage().contains(part), error.getMessage());
        }
    }

    @Test
    void twoClassLoadersHaveALibraryEach() throws Throwable {
        try (SeparateLibrary one = SeparateLibrary.loadFrom(nativeJar(library()));
            SeparateLibrary two = SeparateLibrary.loadFrom(nativeJar(library()))) {
            assertNotSame(one.natives(), two.natives());
            assertEquals(Version.VERSION, one.version());
            assertEquals(Version.VERSION, two.version());
            long mine = one.allocate(1 << 20);
            long other = two.allocate(1 << 20);
            assertEquals(1, one.memory()[4]);
            assertEquals(1, two.memory()[4]);
            // A block of one is nothing that the other knows.
            ByteBuffer root = one.wrap(mine);
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> two.close(root));
            assertNotNull(refused.getMessage());
            one.close(root);
            one.release(mine);
            two.release(other);
        }
    }

    @Test
    @Tag("faults")
    void aLibraryThrowsWhatItsOwnLoaderKnows() throws Throwable {
        try (SeparateLibrary one = SeparateLibrary.loadFrom(nativeJar(library()))) {
            Throwable fault = assertThrows(Error.class, () -> one.provoke(10, ""));
            assertSame(one.natives().getClassLoader(), fault.getClass().getClassLoader());
            assertEquals("io.tensornio.TensorNioInternalError", fault.getClass().getName());
        }
    }

    @Test
    void thePathThatAnotherLoaderLoadedIsCopied() throws Throwable {
        assumeTrue(System.getProperty(NativeLibrary.PROPERTY) != null, "the library under test comes from a jar");
        assertEquals(Version.VERSION, NativeMemory.version());
        try (SeparateLibrary other = SeparateLibrary.load()) {
            assertEquals(Version.VERSION, other.version());
        }
    }

    @Test
    void theCopyIsDeletedAtOnce() throws Throwable {
        assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "Windows deletes no file that is loaded");
        Path jar = nativeJar(library());
        assertEquals(Collections.emptyList(), leftBy(() -> {
            try (SeparateLibrary library = SeparateLibrary.loadFrom(jar)) {
                assertEquals(Version.VERSION, library.version());
            }
        }));
    }

    @Test
    void nobodyElseReachesTheCopy() throws IOException {
        assumeTrue(temp.getFileSystem().supportedFileAttributeViews().contains("posix"), "Windows has no such permissions");
        Path directory = LibraryCopy.makeDirectory(temp);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)));
        Path another = LibraryCopy.makeDirectory(temp);
        assertFalse(Files.isSameFile(directory, another), () -> another + " is taken");
    }

    private interface Fault {
        void inflict(SeparateLibrary library) throws Throwable;
    }

    /** Loads in a frame of its own, so that no local variable keeps the loader. */
    private static WeakReference<ClassLoader> loadAndForget(Path jar, StringBuilder mapped, Fault fault) throws Throwable {
        try (SeparateLibrary library = SeparateLibrary.loadFrom(jar)) {
            long address = library.allocate(1 << 20);
            library.close(library.wrap(address));
            library.release(address);
            fault.inflict(library);
            mapped.append(copiesMapped());
            return new WeakReference<>(library.natives().getClassLoader());
        }
    }

    private static long copiesMapped() throws IOException {
        try (Stream<String> lines = Files.lines(Paths.get("/proc/self/maps"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains("tensornio-native-")).count();
        }
    }

    @Test
    void theLibraryIsUnloadedWithItsClassLoader() throws Throwable {
        isUnloaded(true, library -> assertThrows(IllegalArgumentException.class, () -> library.close(ByteBuffer.allocate(8))));
    }

    @Test
    @Tag("faults")
    void theLibraryIsUnloadedAfterItPanicked() throws Throwable {
        isUnloaded(true, library -> assertThrows(Error.class, () -> library.provoke(11, "to be forgotten")));
    }

    @Test
    @Tag("faults")
    void theClassLoaderIsCollectedThoughTheLibraryPanickedAndLogged() throws Throwable {
        // Not whether it is unmapped: this library, which is not optimised, was seen to stay mapped after it had started a thread here.
        isUnloaded(false, library -> {
            assertThrows(Error.class, () -> library.provoke(11, "to be forgotten"));
            library.provoke(30, "from a thread, to be forgotten");
        });
    }

    private void isUnloaded(boolean isUnmapped, Fault fault) throws Throwable {
        // Not whether the file is there: in Wine it is, and has other names.
        assumeTrue(System.getProperty("os.name").equals("Linux"), "only Linux says what is mapped");
        Path jar = nativeJar(library());
        StringBuilder whileLoaded = new StringBuilder();
        WeakReference<ClassLoader> loader = loadAndForget(jar, whileLoaded, fault);
        long deadline = System.nanoTime() + 30_000_000_000L;
        long loaded = Long.parseLong(whileLoaded.toString());
        while ((loader.get() != null || isUnmapped && copiesMapped() >= loaded) && System.nanoTime() < deadline) {
            System.gc();
            Thread.sleep(20);
        }
        assertSame(null, loader.get());
        assertTrue(!isUnmapped || copiesMapped() < loaded, copiesMapped() + " of " + loaded);
        try (SeparateLibrary again = SeparateLibrary.loadFrom(jar)) {
            assertEquals(Version.VERSION, again.version());
            fault.inflict(again);
        }
    }

    @Test
    void sweepingTakesOldCopiesOnly() throws IOException {
        String name = System.mapLibraryName("tensornio");
        Path old = Files.createDirectory(temp.resolve("tensornio-native-1"));
        Files.write(old.resolve(name), new byte[10]);
        Path young = Files.createDirectory(temp.resolve("tensornio-native-2"));
        Files.write(young.resolve(name), new byte[10]);
        Path foreign = Files.createDirectory(temp.resolve("somebody-else"));
        Files.write(foreign.resolve(name), new byte[10]);
        Path file = Files.write(temp.resolve("tensornio-native-file"), new byte[10]);
        Path withMore = Files.createDirectory(temp.resolve("tensornio-native-3"));
        Files.write(withMore.resolve("precious"), new byte[10]);
        FileTime past = FileTime.fromMillis(1_000_000);
        for (Path path : new Path[] {old, foreign, file, withMore}) {
            Files.setLastModifiedTime(path, past);
        }
        LibraryCopy.sweep(temp, FileTime.fromMillis(2_000_000), name);
        assertFalse(Files.exists(old));
        assertArrayEquals(new byte[10], Files.readAllBytes(young.resolve(name)));
        assertArrayEquals(new byte[10], Files.readAllBytes(foreign.resolve(name)));
        assertArrayEquals(new byte[10], Files.readAllBytes(file));
        assertArrayEquals(new byte[10], Files.readAllBytes(withMore.resolve("precious")));
        LibraryCopy.sweep(temp.resolve("absent"), past, name);
    }
}
