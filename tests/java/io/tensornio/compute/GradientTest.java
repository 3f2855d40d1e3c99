package io.tensornio.compute;

import static io.tensornio.compute.Runs.f;
import static io.tensornio.compute.Runs.ff;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tensornio.support.MemoryBalance;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gradients through Java, on values that were worked out by hand. */
@ExtendWith(MemoryBalance.class)
class GradientTest {
    private static void gives(Comprehension comprehension, List<?> expected, Object... inputs) {
        assertEquals(Runs.shown(expected), Runs.shown(Runs.outputs(comprehension, inputs)), comprehension.toString());
    }

    @Test
    void convolution() {
        Comprehension conv = Comprehension.of("o[x] += I[x+k]*K[k]").gradient("o", "I", "K");
        assertEquals(Arrays.asList("o", "dI", "dK"), conv.outputs());
        gives(conv, Arrays.asList(f(-2, -2, -2), f(1, 1, 0, -1, -1), f(6, 9, 12)), f(1, 2, 3, 4, 5), f(1, 0, -1));
    }

    @Test
    void matrixProduct() {
        Comprehension product = Comprehension.of("t[i,j] += A[i,k]*B[k,j]; C[i,j] = 3 + 2*t[i,j]; return C").gradient("C", "A", "B");
        gives(product, Arrays.asList(ff(f(41, 47), f(89, 103)), ff(f(22, 30), f(22, 30)), ff(f(8, 8), f(12, 12))), ff(f(1, 2), f(3, 4)),
            ff(f(5, 6), f(7, 8)));
    }

    @Test
    void winnersOfAMaximumShareEvenly() {
        gives(Comprehension.of("y[i] max= A[i,j]").gradient("y", "A"), Arrays.asList(f(5, 7), ff(f(0, .5, .5), f(.5, 0, .5))),
            (Object) ff(f(1, 5, 5), f(7, 0, 7)));
    }

    @Test
    void lookUps() {
        gives(Comprehension.of("y[b,d] += T[I[b,k],d]").gradient("y", "T"),
            Arrays.asList(ff(f(4, 6), f(4, 6)), ff(f(1, 1), f(2, 2), f(1, 1))), ff(f(0, 1), f(2, 3), f(4, 5)), new int[][] {{0, 2}, {1, 1}});
    }

    @Test
    void productsWithAnyNumberOfZeros() {
        gives(Comprehension.of("y[i] *= A[i,j]").gradient("y", "A"), Arrays.asList(f(6, 0, 0), ff(f(3, 2), f(3, 0), f(0, 0))),
            (Object) ff(f(2, 3), f(0, 3), f(0, 0)));
    }

    @Test
    void aSeedIsTheLastInput() {
        Comprehension seeded = Comprehension.of("y[i] = x[i]*x[i]*a[i]").gradientSeeded("y", "g", "x");
        assertEquals(Arrays.asList("x", "a", "g"), seeded.inputs());
        gives(seeded, Arrays.asList(f(4, 27), f(40, 0)), f(2, 3), f(1, 3), f(10, 0));
    }

    @Test
    void textSaysTheSame() {
        Comprehension square = Comprehension.of("y[i] = x[i]*x[i]");
        Comprehension gradient = square.gradient("y", "x");
        assertEquals(gradient, Comprehension.of("y[i] = x[i]*x[i]; gradient y by x"));
        assertEquals(gradient, Comprehension.of(gradient.toString()));
        gives(gradient.gradient("dx", "x").returning("ddx"), Arrays.asList(f(2, 2)), f(1, 5));
    }
}
