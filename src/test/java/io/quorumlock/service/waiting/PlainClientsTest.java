// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.service.waiting;

import static io.quorumlock.testing.FakeFleet.RESOURCE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.service.waiting.WaitQueues.WaitingLimits;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waiting in competition with other Redlock clients, which announce no releases and poll. */
@Execution(ExecutionMode.CONCURRENT)
@Proves("R12")
class PlainClientsTest {
    private static final int CLIENTS = 4;
    private static final Duration HELD = Duration.ofMillis(5);
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration RUN = Duration.ofSeconds(12);

    private final FakeFleet fleet = new FakeFleet(5);
    private final WaitQueues queues = fleet.waitQueues(7, fleet.signal(), new WaitingLimits(100, 100));
    private Random random;
    private int tokens;
    private int ours;
    private int theirs;

    @BeforeEach
    void setReplyDelay() {
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(1)));
    }

    /** A fair share would be half of the grants; a fifth of it is required. */
    @ParameterizedTest
    @CsvSource({"1,10", "2,10", "1,30", "2,30", "1,200", "2,200"})
    void waitersGetAtLeastFifthOfFairShare(long seed, int longestRetryMillis) {
        random = new Random(seed);
        for (int i = 0; i < CLIENTS; i++) {
            tryAgain(longestRetryMillis);
            waitAgain();
        }
        fleet.time.pass(RUN);
        String result = ours + " grants to waiting clients, " + theirs + " to plain ones";
        assertTrue(ours * 10 >= ours + theirs, result);
        assertTrue(theirs > 0, result);
    }

    private void waitAgain() {
        LeaseToken token = token();
        queues.acquire(RESOURCE, terms(token, PATIENCE)).thenAccept(outcome -> {
            if (outcome instanceof Acquisition.Acquired) {
                ours++;
                fleet.time.after(HELD, () -> queues.release(RESOURCE, token).thenRun(this::waitAgain));
            } else {
                waitAgain();
            }
        });
    }

    /** Repeats attempts of a client that uses only {@code SET NX PX}. */
    private void tryAgain(int longestRetryMillis) {
        String value = "value-of-client-" + ++tokens;
        List<MasterReply> replies = new ArrayList<>();
        for (FakeMaster master : fleet.masters) {
            master.acquirePlainly(RESOURCE, value, TTL, reply -> {
                replies.add(reply);
                if (replies.size() == fleet.masters.size()) {
                    boolean won = replies.stream()
                                            .filter(MasterReply.Granted.class::isInstance)
                                            .count()
                                    * 2
                            > replies.size();
                    theirs += won ? 1 : 0;
                    Duration retry = Duration.ofMillis(1 + random.nextInt(longestRetryMillis));
                    fleet.time.after(won ? HELD : Duration.ZERO, () -> delete(value));
                    fleet.time.after((won ? HELD : Duration.ZERO).plus(retry), () -> tryAgain(longestRetryMillis));
                }
            });
        }
    }

    private void delete(String value) {
        fleet.masters.forEach(master -> master.deletePlainly(RESOURCE, value));
    }

    private LeaseToken token() {
        return new LeaseToken("token-of-client-" + ++tokens);
    }

    private static AcquireTerms terms(LeaseToken token, Duration patience) {
        return new AcquireTerms(TTL, patience, Optional.of(token), Optional.empty(), LockKind.EXCLUSIVE);
    }
}
