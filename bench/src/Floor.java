package io.quorumlock.bench;

import java.util.List;

/**
 * Is what no service can do better on this machine: a cycle is two HTTP exchanges and, on each of five masters, one script
 * for the acquire and one for the release. All processors share the work, the load generator's included.
 */
final class Floor {
    private static final int EXCHANGES = 2;
    private static final int MASTERS = 5;
    private static final double PATH = 1.5;

    private Floor() {}

    /** Gives the cycles per second that a part with HTTP alone and one with the two scripts alone, in batches, allow. */
    static double perSecond(Contestant.Result http, Contestant.Result scripts) {
        double micros = EXCHANGES * http.costs().allCpuMicros()
                + MASTERS * scripts.costs().cpuMicros("masters");
        return Runtime.getRuntime().availableProcessors() * 1e6 / micros;
    }

    /** Compares cycles per second with it. */
    static Ratio share(String name, String cycles, String http, String scripts) {
        return new Ratio(
                name,
                "",
                List.of(cycles, http, scripts),
                all -> all.get(0).sample().perSecond() / perSecond(all.get(1), all.get(2)));
    }

    /** Compares the median of a cycle with that of two HTTP exchanges and of the two scripts on one master, one by one. */
    static Ratio path(String name, String cycles, String http, String scripts) {
        return new Ratio(
                name,
                "at most " + PATH,
                List.of(cycles, http, scripts),
                all -> median(all.get(0)) / (EXCHANGES * median(all.get(1)) + median(all.get(2))));
    }

    private static double median(Contestant.Result result) {
        return result.sample().micros(0.5);
    }
}
