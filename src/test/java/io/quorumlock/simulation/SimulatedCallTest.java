// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.history.Checker;
import io.quorumlock.history.Operation;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Tests of what only virtual time shows: exact times, and votes in flight. */
class SimulatedCallTest {
    private static final Duration TTL = Duration.ofMillis(1_000);
    private static final RequestTerms TERMS =
            RequestTerms.of(new ResourceName("r"), new LeaseToken("token-of-client-a"), TTL);

    private final CallLog log = new CallLog();

    /** The replica's clock has the lowest rate, and each of its readings is rounded to whole nanoseconds. */
    @Test
    void acceptsValidityThatIsRoundedByClock() {
        waited(422_600_220);
        expect();
    }

    @Test
    void detectsTooMuchValidityAfterWait() {
        waited(422_600_230);
        expect(Promise.S2);
    }

    /** A vote requested before the release can arrive after it. */
    @Test
    void lateVoteCanRestoreReleasedLease() {
        answered(Operation.ACQUIRE, 0, new Acquisition.Acquired(lease(Duration.ZERO)));
        SimulatedCall release = answered(Operation.RELEASE, 100, new Release.Released());
        answered(Operation.EXTEND, 200, new Extension.Extended(lease(Duration.ZERO), Optional.empty()));
        expect(Promise.S4);
        release.mayComeBack = true;
        expect();
    }

    @Test
    void callThatTheReplicaRefusedEndsNoLease() {
        SimulatedCall release = log.begin(1, Operation.RELEASE, TERMS, 0);
        assertEquals(Outcome.UNANSWERED, release.recorded().outcome());
        assertEquals(SimulatedCall.NEVER, release.recorded().bounds().endsUntil());
        release.returned = 5;
        assertEquals(Outcome.REFUSED, release.recorded().outcome());
        assertEquals(0, release.recorded().bounds().endsUntil());
    }

    /** Adds an acquire that waited for 421.219879 ms by its replica's clock, and was granted within another 1 ms. */
    private void waited(long nanos) {
        SimulatedCall call = log.begin(1, Operation.ACQUIRE, TERMS.waiting(TTL), 0);
        end(call, nanos, new Acquisition.Acquired(lease(Duration.ofNanos(417_007_680))));
    }

    private SimulatedCall answered(Operation operation, long sentMs, Object outcome) {
        SimulatedCall call = log.begin(1, operation, TERMS, Scale.millis(sentMs));
        end(call, Scale.millis(sentMs + 1), outcome);
        return call;
    }

    private static void end(SimulatedCall call, long at, Object outcome) {
        call.started = call.invoked;
        call.decided = at;
        call.returned = at;
        call.outcome = Optional.of(outcome);
    }

    private static Lease lease(Duration waited) {
        return new Lease(
                TERMS.resources(),
                TERMS.token(),
                new FencingToken(1),
                TTL,
                Duration.ofMillis(987),
                Duration.ofMillis(1),
                waited,
                OptionalInt.of(Scale.EXTENSIONS_MAX),
                new Lease.Votes(3, 3, 5),
                OptionalInt.empty());
    }

    private void expect(Promise... promises) {
        assertEquals(
                List.of(promises),
                Checker.check(log.history(5)).stream().map(Violation::promise).toList());
    }
}
