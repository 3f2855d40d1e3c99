package io.tensornio.internal.memory;

import io.tensornio.DataType;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * A pin of a storage that the application holds: an owner of it, so that its pages stay, and count as in use. It ends once: when it is closed, or
 * when neither the application's object nor any of its buffers is reachable. These buffers are aliases of their own, since those derived from the
 * storage's root would tell nothing about this pin; each keeps the root reachable, also after the pin has ended, so that the addresses are not used
 * again meanwhile.
 */
public final class PinReference extends Lent {
    private static final AtomicIntegerFieldUpdater<PinReference> ENDED = AtomicIntegerFieldUpdater.newUpdater(PinReference.class, "ended");

    private final Storage storage;
    private volatile int ended;
    /** The record of leak detection, or null. */
    private volatile LeakDetector.Record leak;
    /** How many of the application's object and the aliases may be reachable; guarded by this. */
    private int reachable = 1;

    /**
     * Makes a pin.
     *
     * @param holder the application's object
     * @param storage of which this becomes an owner, by the caller's {@link Storage#share()}
     */
    public PinReference(Object holder, Storage storage) {
        super(holder);
        this.storage = storage;
        watch();
    }

    /** An alias, and the root that it keeps reachable. */
    private static final class AliasReference extends Lent {
        private final PinReference pin;
        private final ByteBuffer root;

        AliasReference(ByteBuffer alias, PinReference pin, ByteBuffer root) {
            super(alias);
            this.pin = pin;
            this.root = root;
            watch();
        }

        @Override
        void collected() {
            pin.collected();
        }

        @Override
        public String toString() {
            return "alias of " + root;
        }
    }

    /**
     * The memory as buffers of this pin alone: as many as {@link Storage#segments} would give. To be called while the pin has not ended.
     *
     * @param from the first byte in the storage
     * @param bytes the number of bytes
     * @return new writable direct buffers, in native order
     */
    public ByteBuffer[] aliases(long from, long bytes) {
        storage.expose();
        storage.handOut();
        ByteBuffer[] aliases = storage.aliases(from, bytes);
        for (int n = 0; n < aliases.length; n++) {
            synchronized (this) {
                reachable++;
            }
            new AliasReference(aliases[n], this, storage.rootOf((long) n * Memory.STEP));
        }
        return aliases;
    }

    /**
     * Whether the pin has ended.
     *
     * @return true once it has
     */
    public boolean hasEnded() {
        return ended != 0;
    }

    /**
     * Begins leak detection, if it is on.
     *
     * @param holder the application's object
     * @param type the element type of what is pinned
     * @param shape the sizes of that, which are not changed
     */
    public void track(Object holder, DataType type, long[] shape) {
        leak = LeakDetector.trackPin(holder, type, shape);
    }

    /** Ends the pin. Doing it again does nothing. */
    public void end() {
        LeakDetector.Record tracked = leak;
        if (tracked != null) {
            tracked.closed();
        }
        unpin();
    }

    private void unpin() {
        if (ENDED.compareAndSet(this, 0, 1)) {
            forget();
            storage.close();
        }
    }

    @Override
    void collected() {
        synchronized (this) {
            if (--reachable > 0) {
                return;
            }
        }
        unpin();            // which is a leak
    }
}
