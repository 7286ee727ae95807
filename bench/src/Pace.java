package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Finds the rate of the parts with a fixed one: half of what a closed loop of the same got in its first round. */
final class Pace {
    private static final double SHARE = 0.5;

    private final Contestant loop;
    private final int clients;
    private final Duration trial;
    private double tried;

    /**
     * Goes by that part.
     *
     * @param clients how many to try it with while there is no such round
     * @param trial for how long
     */
    Pace(Contestant loop, int clients, Duration trial) {
        this.loop = loop;
        this.clients = clients;
        this.trial = trial;
    }

    double perSecond(Service service) throws IOException {
        if (!loop.results().isEmpty()) {
            return SHARE * loop.results().get(0).sample().perSecond();
        }
        if (tried == 0) {
            tried = SHARE * most(service);
        }
        return tried;
    }

    private double most(Service service) throws IOException {
        try (HttpLoop trialLoop = new HttpLoop(List.of(service), clients, HttpCycle::new)) {
            trialLoop.prepare();
            trialLoop.run(trial); // warm-up
            trialLoop.prepare();
            return trialLoop.run(trial).checked().perSecond();
        }
    }
}
