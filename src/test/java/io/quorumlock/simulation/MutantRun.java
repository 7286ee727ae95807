// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.faults.HistoryWriter;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Runs of seeds with the classes of its own loader. Its interface has only types of the JDK, because other loaders have
 * other classes.
 */
public final class MutantRun
        implements BiFunction<long[], String, Map<String, Long>>, LongFunction<String[]>, BiConsumer<Long, Path> {
    private final Scenario scenario;

    /** @param scenario the name of one, because other loaders have other classes */
    public MutantRun(String scenario) {
        this.scenario = Scenario.valueOf(scenario);
    }

    /** Runs seeds until one violates the guarantee. Returns one seed per violated guarantee. */
    @Override
    public Map<String, Long> apply(long[] seeds, String promise) {
        Promise wanted = Promise.valueOf(promise);
        Batch batch = new Batch(LongStream.of(seeds), scenario).run(1, run -> run.breaks(wanted));
        Map<String, Long> broken = new TreeMap<>();
        batch.failures().forEach(run -> run.violations().stream()
                .map(violation -> violation.promise().name())
                .distinct()
                .forEach(name -> broken.putIfAbsent(name, run.seed())));
        return broken;
    }

    /** Returns the log of one seed and the guarantees that it violated. */
    @Override
    public String[] apply(long seed) {
        Run run = Simulation.run(seed, scenario, true);
        Stream<String> broken = run.violations().stream().map(Violation::toString);
        return Stream.concat(run.log().stream(), broken).toArray(String[]::new);
    }

    /** Writes the history of one seed. */
    @Override
    public void accept(Long seed, Path file) {
        HistoryWriter.write(
                file, Simulation.run(seed, scenario, false).history().calls());
    }
}
