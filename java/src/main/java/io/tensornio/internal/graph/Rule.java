package io.tensornio.internal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** An update rule: how gradients change parameters, as statements of a comprehension. Its numbers may change between steps. */
public enum Rule {
    /** The gradients themselves, in place of parameters: nothing is updated. */
    GRADIENTS(""),
    /** {@code w - rate g}. */
    PLAIN(""),
    /** {@code v = momentum v + g}, {@code w - rate v}. */
    MOMENTUM("momentum", "v"),
    /** {@code v = momentum v + g}, {@code w - rate (g + momentum v)}. */
    NESTEROV("momentum", "v"),
    /** {@code v = v + g^2}, {@code w - rate g / (sqrt(v) + epsilon)}. */
    ADAGRAD("epsilon", "v"),
    /** {@code v = rho v + (1 - rho) g^2}, {@code w - rate g / (sqrt(v) + epsilon)}. */
    RMS_PROP("rho rest_rho epsilon", "v"),
    /** {@code m = beta1 m + (1 - beta1) g}, {@code v = beta2 v + (1 - beta2) g^2}, both bias-corrected. */
    ADAM("beta1 rest_beta1 beta2 rest_beta2 epsilon lack1 lack2", "m", "v"),
    /** Adam, with weights that decay before: {@code w - rate decay w}. */
    ADAM_W("beta1 rest_beta1 beta2 rest_beta2 epsilon lack1 lack2", "m", "v");

    /** The state for each parameter: the suffixes of its keys in a checkpoint. */
    public final List<String> memories;
    /** The numbers in the statements. */
    private final List<String> numbers = new ArrayList<>();

    Rule(String numbers, String... memories) {
        this.memories = Collections.unmodifiableList(Arrays.asList(memories));
        this.numbers.add("rate");
        if (!numbers.isEmpty()) {
            this.numbers.addAll(Arrays.asList(numbers.split(" ")));
        }
    }

    /**
     * The statements for one parameter.
     *
     * @param loops the loops of all axes, in brackets
     * @param n the names: w, g, m, v and new ones of w, m and v, as {@code next_w} and so on; and those of the rule's numbers
     */
    String text(String loops, Map<String, String> n) {
        String w = n.get("w") + loops;
        String g = n.get("g") + loops;
        String next = n.get("next_w") + loops + " = " + w + " - " + n.get("rate") + " * ";
        String v = n.get("next_v") + loops;
        String m = n.get("next_m") + loops;
        String before = n.get("v") + loops;
        String root = next + g + " / (sqrt(" + v + ") + " + n.get("epsilon") + ")\n";
        switch (this) {
            case GRADIENTS:
                return n.get("next_w") + loops + " = " + g + "\n";
            case PLAIN:
                return next + g + "\n";
            case MOMENTUM:
                return v + " = " + n.get("momentum") + " * " + before + " + " + g + "\n" + next + v + "\n";
            case NESTEROV:
                return v + " = " + n.get("momentum") + " * " + before + " + " + g + "\n"
                    + next + "(" + g + " + " + n.get("momentum") + " * " + v + ")\n";
            case ADAGRAD:
                return v + " = " + before + " + " + g + " ^ 2\n" + root;
            case RMS_PROP:
                return v + " = " + n.get("rho") + " * " + before + " + " + n.get("rest_rho") + " * " + g + " ^ 2\n" + root;
            default:
                return m + " = " + n.get("beta1") + " * " + n.get("m") + loops + " + " + n.get("rest_beta1") + " * " + g + "\n"
                    + v + " = " + n.get("beta2") + " * " + before + " + " + n.get("rest_beta2") + " * " + g + " ^ 2\n"
                    + next + "(" + m + " / " + n.get("lack1") + ") / (sqrt(" + v + " / " + n.get("lack2") + ") + " + n.get("epsilon") + ")\n";
        }
    }

    /** The numbers in the statements. */
    List<String> numbers() {
        return numbers;
    }

    /** One of these numbers, or of those of what is done before the rule, for a step that is counted from 1. */
    static double number(String name, Settings settings, long step) {
        switch (name) {
            case "rate":
                return settings.rate;
            case "momentum":
                return settings.momentum;
            case "rho":
                return settings.rho;
            case "rest_rho":
                return 1 - settings.rho;
            case "epsilon":
                return settings.epsilon;
            case "beta1":
                return settings.beta1;
            case "rest_beta1":
                return 1 - settings.beta1;
            case "beta2":
                return settings.beta2;
            case "rest_beta2":
                return 1 - settings.beta2;
            case "lack1":
                return 1 - Math.pow(settings.beta1, step);
            case "lack2":
                return 1 - Math.pow(settings.beta2, step);
            case "clip_value":
                return settings.clipValue;
            case "clip_norm":
                return settings.clipNorm;
            default:
                return settings.decay;
        }
    }
}
