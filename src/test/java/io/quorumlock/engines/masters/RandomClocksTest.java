// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.masters.FakeClocks.FakeClock;
import io.quorumlock.engines.redis.LinkSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** R9: random stops of the own clock, steps of a minority, delays and broken connections. */
class RandomClocksTest {
    private static final int SEEDS = Integer.getInteger("clocks.seeds", 400);
    private static final Duration LENGTH = Duration.ofSeconds(60);
    private static final Duration NOTICED = Duration.ofSeconds(10);

    /**
     * A step forward is detected at any time, also while the own clock stands still. A master that never stepped is not
     * accused.
     */
    @ParameterizedTest
    @CsvSource({"3, 5", "3, 40", "5, 5", "5, 40", "5, 150"})
    void judgesExactlyTheMastersThatStepped(int size, int longestDelay) {
        for (int seed = 0; seed < SEEDS / 5; seed++) {
            new World(seed, size, longestDelay).run();
        }
    }

    private static final class World {
        private final int seed;
        private final Random random;
        private final FakeClocks clocks;
        private final int longestDelay;
        private final List<Net> nets = new ArrayList<>();

        World(int seed, int size, int longestDelay) {
            this.seed = seed;
            this.random = new Random(seed);
            this.clocks = new FakeClocks(size);
            this.longestDelay = longestDelay;
            clocks.masters.forEach(master -> nets.add(new Net(master)));
        }

        void run() {
            nets.forEach(Net::beat);
            pauses();
            int bad = random.nextInt(nets.size() / 2 + 1);
            nets.subList(0, bad).forEach(net -> {
                if (random.nextInt(3) == 0) {
                    net.breaksLater();
                } else {
                    net.stepsLater();
                }
            });
            clocks.time.pass(LENGTH);
            nets.forEach(Net::check);
        }

        private void pauses() {
            clocks.time.after(millis(stopsTogether() ? 100 : 5_000, 20_000), () -> {
                stop(millis(60, random.nextBoolean() ? 500 : 30_000));
                pauses();
            });
        }

        /** A suspension and a pause between two readings of a master may lead to a needless quarantine. */
        private boolean stopsTogether() {
            return seed % 2 == 0;
        }

        /** Requests that are on their way arrive during the stop or after it. A minority may step meanwhile. */
        private void stop(Duration length) {
            Duration before = clocks.stopped;
            Duration arrival = length.multipliedBy(random.nextInt(100)).dividedBy(100);
            clocks.stopped = before.plus(arrival);
            nets.forEach(net -> net.arrive(random.nextBoolean()));
            clocks.stopped = before;
            clocks.pause(length);
            nets.forEach(Net::stopped);
        }

        private Duration millis(int least, int most) {
            return Duration.ofMillis(least).plusNanos((long) (random.nextDouble() * (most - least) * 1_000_000));
        }

        private final class Net {
            private final FakeClock master;
            private boolean connected = true;
            private boolean steps;
            private Duration stepped = Duration.ZERO;
            private MonotonicTime steppedAt;
            private MonotonicTime sent;
            private Runnable request = () -> {};
            private int connection;
            private boolean again;

            Net(FakeClock master) {
                this.master = master;
                master.onRequest = this::send;
            }

            void beat() {
                send();
                clocks.time.after(LinkSettings.HEARTBEAT, this::beat);
            }

            private void send() {
                if (!connected || sent != null) {
                    again = connected;
                    return;
                }
                sent = clocks.time.now();
                int current = connection;
                request = () -> {
                    request = () -> {};
                    long micros = master.micros();
                    clocks.time.after(delay(), () -> {
                        if (connection == current) {
                            answered(micros);
                        }
                    });
                };
                clocks.time.after(delay(), () -> {
                    if (connection == current) {
                        request.run();
                    }
                });
            }

            private void answered(long micros) {
                MonotonicTime when = sent;
                sent = null;
                master.receive(when, micros);
                if (again) {
                    again = false;
                    send();
                }
            }

            void arrive(boolean now) {
                if (now) {
                    request.run();
                }
            }

            private Duration delay() {
                return random.nextInt(4) == 0 ? millis(0, longestDelay) : millis(0, Math.min(3, longestDelay));
            }

            void breaksLater() {
                clocks.time.after(millis(1_000, 20_000), () -> {
                    connected = false;
                    connection++;
                    sent = null;
                    request = () -> {};
                    clocks.time.after(millis(50, 8_000), () -> {
                        connected = true;
                        send();
                    });
                });
            }

            void stepsLater() {
                clocks.time.after(millis(5_000, 40_000), () -> steps = true);
                clocks.time.after(millis(5_000, 45_000), this::step);
            }

            void stopped() {
                if (steps && random.nextBoolean()) {
                    step();
                }
            }

            private void step() {
                if (steppedAt == null) {
                    int least = 61 + 2 * longestDelay;
                    Duration by = millis(least, random.nextBoolean() ? least + 100 : 3_000);
                    stepped = by;
                    master.ahead = stepped;
                    steppedAt = clocks.time.now();
                    master.judgements.clear();
                    clocks.time.after(NOTICED, () -> assertTrue(master.judgements.contains(true), this::story));
                }
            }

            void check() {
                boolean innocent = steppedAt == null && connection == 0;
                if (innocent && longestDelay < 50 && !stopsTogether()) {
                    assertFalse(master.judgements.contains(true), this::story);
                }
            }

            private String story() {
                return "seed " + seed + " node " + nets.indexOf(this) + " stepped by " + stepped + " at " + steppedAt;
            }
        }
    }
}
