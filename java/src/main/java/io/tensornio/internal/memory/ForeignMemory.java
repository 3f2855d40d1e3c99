package io.tensornio.internal.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Memory that somebody else lends the library, and what gives it back: called once, when the last owner has closed it, no pin is left, and no data or
 * buffer over it is reachable. Its root is an alias: a buffer that native code makes, of which alone all others over the memory are derived, since
 * {@code java.nio} would have them keep the lender's buffer reachable, and not a slice of it.
 */
final class ForeignMemory extends Lent {
    /** The bytes of memory that others lend. */
    private static final AtomicLong FOREIGN = new AtomicLong();
    /** The bytes of files that are mapped. */
    private static final AtomicLong MAPPED = new AtomicLong();
    private static final AtomicReferenceFieldUpdater<ForeignMemory, Runnable> RELEASE =
        AtomicReferenceFieldUpdater.newUpdater(ForeignMemory.class, Runnable.class, "release");

    /** The address of the first byte. */
    final long address;
    /** Whether the application may have data or a buffer over the memory. As {@link BlockReference#exposed}. */
    volatile boolean exposed;
    /** The lender's buffer: reachable until the memory is given back, whatever the lender keeps; null for a file. */
    private final ByteBuffer lent;
    private final long bytes;
    /** The counter of such bytes. */
    private final AtomicLong count;
    /** Whether it is given back at the close even if it is exposed. */
    private final boolean unchecked;
    /** Gives the memory back; null once that was called, or the memory is the lender's again. */
    private volatile Runnable release;
    /** Whether the memory is the library's to give back: not before the call that takes it has succeeded. */
    private volatile boolean taken;

    ForeignMemory(ByteBuffer root, ByteBuffer lent, long address, boolean unchecked, Runnable release) {
        super(root);
        this.lent = lent;
        this.address = address;
        this.unchecked = unchecked;
        this.release = release;
        bytes = root.capacity();
        count = FOREIGN;
        count.addAndGet(bytes);
        watch();
    }

    /**
     * The bytes of a file, whose mapping {@code java.nio} ends once no buffer over it is reachable; {@code release} closes the file, at the close.
     */
    ForeignMemory(ByteBuffer root, long address, long bytes, Runnable release) {
        super(root);
        this.address = address;
        this.bytes = bytes;
        this.release = release;
        lent = null;
        unchecked = true;
        taken = true;
        count = MAPPED;
        count.addAndGet(bytes);
        watch();
    }

    /** The bytes of all memory that is lent. */
    static long foreign() {
        return FOREIGN.get();
    }

    /** The bytes of all files that are mapped. */
    static long mapped() {
        return MAPPED.get();
    }

    /** Whether this is a file. */
    boolean isMapped() {
        return lent == null;
    }

    /** Gives the memory back now if nobody can be reading it: its last owner has closed it, and its last pin has ended. */
    void free() {
        if (!exposed || unchecked) {
            giveBack();
        }
    }

    /** Takes the memory: from now on the lender is called when it is not needed any more. */
    void take() {
        taken = true;
    }

    @Override
    void collected() {
        giveBack();
    }

    /** Ends the loan, once. */
    void giveBack() {
        Runnable once = RELEASE.getAndSet(this, null);
        if (once == null) {
            return;
        }
        forget();
        count.addAndGet(-bytes);
        if (taken) {
            try {
                once.run();
            } catch (Exception | Error e) {         // including checked ones: languages other than Java throw them undeclared
                Log.log(Log.ERROR, "what gives back " + bytes + " adopted bytes at " + Long.toHexString(address) + " has thrown", e);
            }
        }
    }

    @Override
    public String toString() {
        return bytes + " bytes of " + (lent == null ? "a file" : lent.toString());
    }
}
