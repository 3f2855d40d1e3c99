package io.tensornio.internal.graph;

import io.tensornio.DataType;
import io.tensornio.RaggedTensor;
import io.tensornio.internal.data.WritableTensor;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Random truth values, one for each element of a tensor, that a text of training reads: by the generator Philox 4x32-10 (Salmon, Moraes, Dror, Shaw:
 * Parallel random numbers: as easy as 1, 2, 3, 2011). The key is the seed; the counter is the number of the element divided by four, in 32 bits, that
 * of the step in 64, and that of the tensor that is made; the rest of the division chooses the word.
 */
public final class Noise {
    /** What a text calls them. */
    static final String NAME = "noise";
    private static final long M0 = 0xD2511F53L;
    private static final long M1 = 0xCD9E8D57L;
    private static final int W0 = 0x9E3779B9;
    private static final int W1 = 0xBB67AE85;
    private static final int ROUNDS = 10;
    static final int WORDS = 4;
    private static final long WORD = 0xFFFFFFFFL;

    /** The tensor whose shape they have. */
    final Variable like;
    /** How often they are false. */
    final double rate;
    /** The number of the tensor that is made of them. */
    final int id;

    Noise(Variable like, double rate, int id) {
        this.like = like;
        this.rate = rate;
        this.id = id;
    }

    /** The four words for a counter and a key, in place of the counter. */
    static void philox(int[] counter, int first, int second) {
        int k0 = first;
        int k1 = second;
        for (int round = 0; round < ROUNDS; round++) {
            long p0 = M0 * (counter[0] & WORD);
            long p1 = M1 * (counter[2] & WORD);
            counter[0] = (int) (p1 >>> Integer.SIZE) ^ counter[1] ^ k0;
            counter[1] = (int) p1;
            counter[2] = (int) (p0 >>> Integer.SIZE) ^ counter[3] ^ k1;
            counter[3] = (int) p0;
            k0 += W0;
            k1 += W1;
        }
    }

    /** Truth values for a batch of examples that are not of one length. */
    RaggedTensor<?> ragged(Lengths lengths, int count, long seed, long step, int... words) {
        int last = like.rank() - 1;
        while (!like.axes[last].isVarying()) {
            last--;
        }
        long[] nodes = new long[count];                 // of each example on an axis
        Arrays.fill(nodes, 1);
        long[][] splits = new long[last + 1][];
        for (int axis = 0; axis <= last; axis++) {
            splits[axis] = new long[(int) Arrays.stream(nodes).sum() + 1];
            int next = 0;
            for (int example = 0; example < count; example++) {
                long length = lengths.at(like.axes[axis], example);
                for (long node = 0; node < nodes[example]; node++) {
                    splits[axis][next + 1] = splits[axis][next++] + length;
                }
                nodes[example] *= length;
            }
        }
        long[] shape = new long[like.rank() - last];
        shape[0] = splits[last][splits[last].length - 1];
        for (int axis = last + 1; axis < like.rank(); axis++) {
            shape[axis - last] = like.axes[axis].length();
        }
        try (WritableTensor values = WritableTensor.allocate(DataType.BOOL, shape)) {
            fill(values.bytes(), seed, step, words);
            return RaggedTensor.fromRowSplits(values.data(), splits);
        }
    }

    /**
     * Writes truth values.
     *
     * @param to where to, a byte for each
     * @param seed the seed
     * @param step the number of the step
     * @param words room for four words, so that nothing is allocated
     */
    void fill(ByteBuffer[] to, long seed, long step, int... words) {
        long limit = Math.round(rate * (1L << Integer.SIZE));
        int block = 0;
        int used = WORDS;
        for (ByteBuffer bytes : to) {
            bytes.clear();
            for (int at = 0; at < bytes.limit(); at++) {
                if (used == WORDS) {
                    words[0] = block++;
                    words[1] = (int) step;
                    words[2] = (int) (step >>> Integer.SIZE);
                    words[3] = id;
                    philox(words, (int) seed, (int) (seed >>> Integer.SIZE));
                    used = 0;
                }
                bytes.put(at, (byte) ((words[used++] & WORD) >= limit ? 1 : 0));
            }
        }
    }
}
