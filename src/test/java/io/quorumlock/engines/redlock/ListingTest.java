// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redlock;

import static io.quorumlock.testing.FakeFleet.A;
import static io.quorumlock.testing.FakeFleet.B;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.Lease.Votes;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Listing.HeldLock;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.NoQuorumReason;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeFleet;
import io.quorumlock.testing.FakeMaster.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Listings of locks by majority. */
class ListingTest {
    private static final Duration TTL = FakeFleet.TTL_MAX;
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(11);

    private final FakeFleet fleet = new FakeFleet(5);

    @Test
    void showsStateOfMajority() {
        Optional<Owner> owner = Optional.of(new Owner("worker-1"));
        ResourceName resource = new ResourceName("orders/42");
        Instant now = fleet.time.wallClock().instant();
        fleet.await(fleet.engine.acquire(
                resource, new AcquireTerms(TTL, Duration.ZERO, Optional.of(A), owner, LockKind.EXCLUSIVE)));
        fleet.await(fleet.engine.extend(resource, A, TTL));
        HeldLock lock = page("", Optional.empty(), 1).locks().get(0);
        assertEquals(resource, lock.resource());
        assertEquals(owner, lock.state().first().owner());
        assertEquals(Optional.of(now), lock.state().first().since());
        assertEquals(1, lock.state().first().extensions());
        assertEquals(TTL, lock.state().first().remaining());
        assertTrue(lock.state().first().fence().map(FencingToken::number).orElseThrow() > 0);
        assertEquals(new Votes(5, 3, 5), lock.state().votes());
    }

    @Test
    void marksLocksOfMinorityAsPartial() {
        put("orphan", A, 1, 2);
        hold("lease", B);
        List<HeldLock> locks = page("", Optional.empty(), 100).locks();
        assertEquals(
                List.of(false, true), locks.stream().map(HeldLock::isPartial).toList());
        assertEquals(new Votes(2, 3, 5), locks.get(1).state().votes());
    }

    /**
     * A lock that is held during the whole listing is listed exactly once, even if other locks are acquired and
     * released.
     */
    @Test
    void concurrentChangesHideNoPermanentLock() {
        List<String> lasting =
                IntStream.range(0, 50).mapToObj("x/%02d/lasting"::formatted).toList();
        lasting.forEach(name -> hold(name, A));
        Random random = new Random(1);
        List<String> listed = new ArrayList<>();
        Optional<ResourceName> after = Optional.empty();
        do {
            hold("x/%02d/passing".formatted(random.nextInt(50)), B);
            Listing.Page page = page("x", after, 4);
            listed.addAll(names(page));
            fleet.await(fleet.engine.release(page.locks().get(0).resource(), B));
            after = page.last();
        } while (after.isPresent());
        assertEquals(
                lasting,
                listed.stream().filter(name -> name.endsWith("lasting")).toList());
    }

    @Test
    void toleratesFailedMinority() {
        hold("a", A);
        fleet.setFault(Fault.DOWN, 1);
        fleet.setFault(Fault.SILENT, 2);
        HeldLock lock = page("", Optional.empty(), 100).locks().get(0);
        assertEquals(new Votes(3, 3, 5), lock.state().votes());
    }

    @Test
    void reportsNoQuorumWithoutMajority() {
        hold("a", A);
        fleet.setFault(Fault.DOWN, 1);
        fleet.setFault(Fault.SILENT, 2, 3);
        Listing.NoQuorum none = assertInstanceOf(Listing.NoQuorum.class, list("", Optional.empty(), 100));
        assertEquals(new NoQuorumReason(2, 3, 5, Effect.NONE), none.why());
        assertEquals(
                List.of("a"),
                none.known().stream().map(lock -> lock.resource().text()).toList());
        assertTrue(none.known().get(0).isPartial());
    }

    @Test
    void reportsNoQuorumWhenMajorityFailsDuringListing() {
        IntStream.range(0, 20).forEach(i -> hold("a/" + i, A));
        CompletableFuture<Listing> listing = begin("", 100);
        fleet.time.pass(Duration.ofMillis(2));
        fleet.setFault(Fault.DOWN, 1, 2, 3);
        assertInstanceOf(Listing.NoQuorum.class, wait(listing));
    }

    @Test
    void retriesTimedOutStep() {
        IntStream.range(0, 20).forEach(i -> hold("a/" + i, A));
        fleet.setFault(Fault.SILENT, 1, 2, 3);
        CompletableFuture<Listing> listing = begin("", 100);
        fleet.time.pass(FakeFleet.NODE_TIMEOUT.plusMillis(1));
        fleet.heal();
        Listing.Page page = assertInstanceOf(Listing.Page.class, wait(listing));
        assertEquals(new Votes(5, 3, 5), page.locks().get(19).state().votes());
    }

    @Test
    void reportsNoQuorumAfterDeadline() {
        IntStream.range(0, 700).forEach(i -> hold("a/" + i, A));
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(49)));
        Listing.NoQuorum none = assertInstanceOf(Listing.NoQuorum.class, wait(begin("", 100)));
        assertEquals(0, none.why().answered());
    }

    /** R14: each listing reads all locks. */
    @Test
    void limitsConcurrentListings() {
        hold("a", A);
        fleet.masters.forEach(master -> master.answerAfter(Duration.ofMillis(10)));
        begin("", 1);
        begin("", 1);
        assertEquals(new Listing.Busy(2), fleet.await(begin("", 1)));
        fleet.time.pass(LONG_ENOUGH);
        assertEquals(List.of("a"), names(page("", Optional.empty(), 1)));
    }

    @Test
    void endsListingOfDisconnectedCaller() {
        IntStream.range(0, 700).forEach(i -> hold("a/" + i, A));
        begin("", 100).cancel(true);
        int before = fleet.master(1).commands();
        fleet.time.pass(LONG_ENOUGH);
        assertTrue(fleet.master(1).commands() <= before + 1);
        assertEquals(0, fleet.time.pending());
    }

    private Listing.Page page(String prefix, Optional<ResourceName> after, int limit) {
        return assertInstanceOf(Listing.Page.class, list(prefix, after, limit));
    }

    private Listing list(String prefix, Optional<ResourceName> after, int limit) {
        return wait(fleet.directory.list(new PageTerms(new ResourcePrefix(prefix), after, limit)));
    }

    private CompletableFuture<Listing> begin(String prefix, int limit) {
        CompletableFuture<Listing> listing =
                fleet.directory.list(new PageTerms(new ResourcePrefix(prefix), Optional.empty(), limit));
        fleet.time.pass(Duration.ZERO);
        return listing;
    }

    private Listing wait(CompletableFuture<Listing> listing) {
        for (int i = 0; i < LONG_ENOUGH.toMillis() && !listing.isDone(); i++) {
            fleet.time.pass(Duration.ofMillis(1));
        }
        return listing.getNow(null);
    }

    private static List<String> names(Listing.Page page) {
        return page.locks().stream().map(lock -> lock.resource().text()).toList();
    }

    private void hold(String name, LeaseToken token) {
        put(name, token, 1, 2, 3, 4, 5);
    }

    private void put(String name, LeaseToken token, int... numbers) {
        for (int number : numbers) {
            Ask.acquire(new ResourceName(name), token, "attempt.1", TTL, Optional.empty())
                    .put(fleet.master(number), granted -> {});
        }
        fleet.time.pass(Duration.ZERO);
    }
}
