package io.tensornio.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** What JMH's arguments select of the benchmarks, and how each of these is run alone. Benchmarks are named as by {@link Results}. */
final class Selection {
    private final CommandLineOptions arguments;
    /** The arguments but for the names: a builder adds its own to those of its parent. */
    private final CommandLineOptions others;
    private final boolean quick;
    /** Whether it is all of them. */
    private final boolean whole;

    /**
     * What such arguments select.
     *
     * @throws CommandLineOptionException if JMH does not know one
     */
    Selection(List<String> given, boolean quick) throws CommandLineOptionException {
        this.quick = quick;
        arguments = new CommandLineOptions(given.toArray(new String[0]));
        List<String> rest = new ArrayList<>(given);
        rest.removeAll(arguments.getIncludes());
        others = new CommandLineOptions(rest.toArray(new String[0]));
        whole = arguments.getIncludes().isEmpty() && arguments.getExcludes().isEmpty() && !given.contains("-p");
    }

    boolean isWhole() {
        return whole;
    }

    boolean isQuick() {
        return quick;
    }

    boolean has(String name) {
        String method = method(name);
        List<String> includes = arguments.getIncludes();
        return (includes.isEmpty() || finds(includes, method)) && !finds(arguments.getExcludes(), method)
            && parameters(name).entrySet().stream().allMatch(this::isWanted);
    }

    private static boolean finds(Collection<String> patterns, String method) {
        return patterns.stream().anyMatch(pattern -> Pattern.compile(pattern).matcher(method).find());
    }

    private boolean isWanted(Map.Entry<String, String> parameter) {
        return arguments.getParameter(parameter.getKey()).orElse(Collections.singleton(parameter.getValue())).contains(parameter.getValue());
    }

    /** How to run one benchmark; what the arguments say beside the selection stands. */
    Options alone(String name) {
        ChainedOptionsBuilder options = new OptionsBuilder().parent(others).include('^' + Pattern.quote(method(name)) + '$')
            .shouldFailOnError(true).addProfiler(GCProfiler.class).forks(arguments.getForkCount().orElse(1));
        parameters(name).forEach(options::param);
        if (quick) {
            options.warmupIterations(arguments.getWarmupIterations().orElse(3));
            options.measurementIterations(arguments.getMeasurementIterations().orElse(3));
            options.warmupTime(arguments.getWarmupTime().orElse(TimeValue.milliseconds(200)));
            options.measurementTime(arguments.getMeasurementTime().orElse(TimeValue.milliseconds(200)));
        }
        return options.build();
    }

    private static String method(String name) {
        return Selection.class.getPackage().getName() + "." + name.split(" ")[0];
    }

    private static Map<String, String> parameters(String name) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String[] words = name.split(" ");
        for (int i = 1; i < words.length; i++) {
            String[] pair = words[i].split("=", 2);
            parameters.put(pair[0], pair[1]);
        }
        return parameters;
    }
}
