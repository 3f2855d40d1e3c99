package io.tensornio.internal.op;

import io.tensornio.Tensor;
import io.tensornio.internal.compute.Program;
import io.tensornio.internal.compute.ProgramCache;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Sums of products by Einstein's convention: each letter is a loop, and those that are not on the right of the arrow are summed over. */
public final class EinsteinSum {
    private EinsteinSum() {
    }

    /**
     * Computes.
     *
     * @param equation such as {@code ij,jk->ik}
     * @param operands one for each term on the left of the arrow
     * @return the result, which the caller closes
     * @throws IllegalArgumentException if the equation is invalid, or the operands do not fit it
     */
    public static Tensor<?> run(String equation, Tensor<?>... operands) {
        String own = equation.replace(" ", "");
        Program program = ProgramCache.get("einsum " + own, () -> Program.of(text(own)));
        if (program.inputs().size() != operands.length) {
            throw new IllegalArgumentException("the equation " + equation + " is of " + program.inputs().size() + " operands, and "
                + operands.length + " are given");
        }
        return program.run((Object[]) operands)[0];
    }

    private static String text(String equation) {
        int arrow = equation.indexOf("->");
        if (arrow < 0) {
            throw new IllegalArgumentException("the equation " + equation + " has no `->`: what is on its right is the result");
        }
        String result = equation.substring(arrow + 2);
        List<String> factors = new ArrayList<>();
        for (String part : equation.substring(0, arrow).split(",", -1)) {
            factors.add("a" + factors.size() + "[" + loops(equation, part) + "]");
        }
        for (int n = 0; n < result.length(); n++) {
            char letter = result.charAt(n);
            if (equation.lastIndexOf(letter, arrow) < 0 || result.indexOf(letter, n + 1) >= 0) {
                throw new IllegalArgumentException("the equation " + equation + ": `" + letter
                    + "` on the right must be there once, and on the left");
            }
        }
        return "y[" + loops(equation, result) + "] += " + String.join(" * ", factors);
    }

    private static String loops(String equation, String letters) {
        String[] loops = new String[letters.length()];
        for (int n = 0; n < loops.length; n++) {
            char letter = letters.charAt(n);
            if (!(letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z')) {
                throw new IllegalArgumentException("the equation " + equation + " has `" + letter + "`: an axis is a letter, such as in ij,jk->ik");
            }
            loops[n] = "i_" + letter;
        }
        return String.join(", ", Arrays.asList(loops));
    }
}
