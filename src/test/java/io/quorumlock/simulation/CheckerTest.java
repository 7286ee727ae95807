// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.history.Promise;
import io.quorumlock.history.Violation;
import io.quorumlock.lock.Acquisition.Acquired;
import io.quorumlock.lock.Acquisition.Replayed;
import io.quorumlock.lock.Acquisition.ValidityShortage;
import io.quorumlock.lock.Extension;
import io.quorumlock.lock.Extension.Extended;
import io.quorumlock.lock.Extension.Lost;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.Lease;
import io.quorumlock.lock.Lease.Votes;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Release.Holder;
import io.quorumlock.lock.Release.Released;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.simulation.Call.Kind;
import io.quorumlock.simulation.Call.Wish;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests that the checker detects each kind of violation and rejects incomplete histories. */
class CheckerTest {
    private static final Duration TTL = Duration.ofMillis(1_000);
    private final History history = new History();
    private int extensionsLeft = Scale.EXTENSIONS_MAX;

    @Test
    void acceptsSuccessiveLeases() {
        acquired("a", 0, 5, 1);
        acquired("b", 989, 992, 2);
        expect();
    }

    @Test
    void rejectsEmptyHistory() {
        expect(Promise.INCONCLUSIVE);
    }

    @Test
    void rejectsTruncatedHistory() {
        acquired("a", 0, 5, 1);
        assertEquals(List.of(Promise.INCONCLUSIVE), broken());
    }

    @Test
    void detectsTwoHolders() {
        acquired("a", 0, 5, 1);
        acquired("b", 900, 905, 2);
        expect(Promise.S1);
    }

    @Test
    void sentReleaseEndsClaim() {
        acquired("a", 0, 5, 1);
        answered(Kind.RELEASE, "a", 100, 150, lease -> new Released(), 0);
        acquired("b", 101, 105, 2);
        expect();
    }

    @Test
    void extensionProlongsClaim() {
        acquired("a", 0, 5, 1);
        answered(Kind.EXTEND, "a", 500, 505, Extended::new, 1);
        acquired("b", 1_200, 1_205, 2);
        expect(Promise.S1);
    }

    @Test
    void replayIsSameLease() {
        acquired("a", 0, 5, 1);
        answered(Kind.ACQUIRE, "a", 10, 15, Replayed::new, 1);
        expect();
    }

    @Test
    void detectsTooMuchValidity() {
        acquired("a", 0, 100, 1);
        expect(Promise.S2);
    }

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

    @Test
    void detectsSmallerFencingToken() {
        acquired("a", 0, 5, 2);
        acquired("b", 2_000, 2_005, 1);
        expect(Promise.S3);
    }

    @Test
    void detectsSharedFencingToken() {
        acquired("a", 0, 5, 1);
        acquired("b", 2_000, 2_005, 1);
        expect(Promise.S3);
    }

    @Test
    void detectsExtensionAfterRelease() {
        acquired("a", 0, 5, 1);
        answered(Kind.RELEASE, "a", 100, 105, lease -> new Released(), 0);
        answered(Kind.EXTEND, "a", 200, 205, Extended::new, 1);
        expect(Promise.S4);
    }

    /** A vote requested before the release can arrive after it. */
    @Test
    void lateVoteCanRestoreReleasedLease() {
        acquired("a", 0, 5, 1);
        answered(Kind.RELEASE, "a", 100, 105, lease -> new Released(), 0).mayComeBack = true;
        answered(Kind.EXTEND, "a", 200, 205, Extended::new, 1);
        expect();
    }

    @Test
    void detectsLossOfValidLease() {
        acquired("a", 0, 5, 1);
        answered(Kind.EXTEND, "a", 200, 205, lease -> new Lost(Holder.NOBODY), 0);
        expect(Promise.S4);
    }

    @Test
    void detectsLessValidityThanRequired() {
        answered(Kind.ACQUIRE, wish("a", 981), 0, 5, Acquired::new, 1);
        expect(Promise.S2);
    }

    @Test
    void tooShortExtensionEndsClaimWhenSent() {
        acquired("a", 0, 5, 1);
        gaveUp("a", 100, 105);
        acquired("b", 101, 105, 2);
        expect();
    }

    /** Once the call is answered, it has no effect on later leases of the same token. */
    @Test
    void tooShortExtensionDoesNotEndLaterClaim() {
        acquired("a", 0, 5, 1);
        gaveUp("a", 100, 105);
        acquired("a", 200, 205, 2);
        acquired("b", 300, 305, 3);
        expect(Promise.S1);
    }

    /** The client timed out, and the replica released the lease when it continued. */
    @Test
    void unansweredCallThatRequiresValidityEndsClaim() {
        acquired("a", 0, 5, 1);
        history.begin(1, Kind.ACQUIRE, wish("a", 970), Scale.millis(100)).returned = Scale.millis(150);
        acquired("b", 200, 205, 2);
        expect();
    }

    @Test
    void detectsReplayWithoutEarlierAcquire() {
        answered(Kind.ACQUIRE, "a", 0, 5, Replayed::new, 1);
        expect(Promise.R8);
    }

    @Test
    void detectsExtensionCountedTwice() {
        acquired("a", 0, 5, 1);
        extensionsLeft = Scale.EXTENSIONS_MAX - 2;
        answered(Kind.EXTEND, "a", 100, 105, Extended::new, 1);
        expect(Promise.R8);
    }

    @Test
    void detectsSlowAnswer() {
        answered(Kind.RELEASE, "a", 0, 700, lease -> new Released(), 0);
        expect(Promise.L);
    }

    @Test
    void detectsMissingAnswer() {
        history.begin(1, Kind.ACQUIRE, wish("a", 0), 0);
        expect(Promise.L);
    }

    @Test
    void detectsExtensionsOverTheMaximum() {
        acquired("a", 0, 5, 1);
        for (int i = 1; i <= 6; i++) {
            answered(Kind.EXTEND, "a", i * 100, i * 100 + 5, Extended::new, 1);
        }
        expect(Promise.R13);
    }

    @Test
    void includesViolationsOfTheWorld() {
        acquired("a", 0, 5, 1);
        history.found(Promise.N, "a leftover key");
        expect(Promise.N);
    }

    private void gaveUp(String token, int invoked, int returned) {
        ValidityShortage shortage = new ValidityShortage(TTL, Duration.ZERO);
        answered(Kind.EXTEND, token, invoked, returned, lease -> new Extension.TooShort(shortage), 0).gaveUp = true;
    }

    private void acquired(String token, int invoked, int returned, long fence) {
        answered(Kind.ACQUIRE, token, invoked, returned, Acquired::new, fence);
    }

    private Call answered(
            Kind kind, String token, int invoked, int returned, Function<Lease, Object> outcome, long fence) {
        return answered(kind, wish(token, 0), invoked, returned, outcome, fence);
    }

    private Call answered(
            Kind kind, Wish wish, int invoked, int returned, Function<Lease, Object> outcome, long fence) {
        Call call = history.begin(1, kind, wish, Scale.millis(invoked));
        call.started = call.invoked;
        call.returned = Scale.millis(returned);
        call.decided = call.returned;
        call.outcome = Optional.of(outcome.apply(lease(call, Math.max(1, fence))));
        return call;
    }

    /** Adds an acquire that waited for 421.219879 ms by its replica's clock, and was granted within another 1 ms. */
    private void waited(long nanos) {
        Call call = history.begin(1, Kind.ACQUIRE, wish("a", 0).waiting(TTL), 0);
        call.started = 0;
        call.decided = nanos;
        call.returned = nanos;
        Lease lease = new Lease(
                call.resource,
                call.token,
                new FencingToken(1),
                TTL,
                Duration.ofMillis(987),
                Duration.ofMillis(1),
                Duration.ofNanos(417_007_680),
                extensionsLeft,
                new Votes(3, 3, 5));
        call.outcome = Optional.of(new Acquired(lease));
    }

    private Lease lease(Call call, long fence) {
        return new Lease(
                call.resource,
                call.token,
                new FencingToken(fence),
                TTL,
                Duration.ofMillis(980),
                Duration.ofMillis(5),
                Duration.ZERO,
                extensionsLeft,
                new Votes(3, 3, 5));
    }

    private static Wish wish(String token, int minValidityMs) {
        LeaseToken name = new LeaseToken("token-of-client-" + token);
        return new Wish(new ResourceName("r"), name, TTL).needing(Duration.ofMillis(minValidityMs));
    }

    private List<Promise> broken() {
        return Checker.check(history).stream()
                .map(Violation::promise)
                .distinct()
                .toList();
    }

    private void expect(Promise... promises) {
        history.complete(5);
        assertEquals(List.of(promises), broken());
    }
}
