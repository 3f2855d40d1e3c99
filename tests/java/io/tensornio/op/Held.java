package io.tensornio.op;

import java.util.ArrayList;
import java.util.List;

/**
 * What the scope that a test uses at the time has made. Results are held weakly: one that the collector finds before the scope is closed is counted
 * as open until the small tensors beside it are gone, too, which the balance of memory would take for a leak.
 */
final class Held {
    private static Ops scope;
    private static List<Operand<?>> all = new ArrayList<>();

    private Held() {
    }

    /** Keeps an operand reachable as long as only operands of its scope are; gives the same. */
    static synchronized <O extends Operand<?>> O held(O operand) {
        if (operand.ops() != scope) {
            scope = operand.ops();
            all = new ArrayList<>();
        }
        all.add(operand);
        return operand;
    }
}
