// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import static io.quorumlock.testing.EngineFixture.A;
import static io.quorumlock.testing.EngineFixture.B;
import static io.quorumlock.testing.EngineFixture.OWNER;
import static io.quorumlock.testing.EngineFixture.RESOURCE;
import static io.quorumlock.testing.EngineFixture.TTL;
import static io.quorumlock.testing.EngineFixture.terms;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.ForcedRelease.Broken;
import io.quorumlock.core.lock.ForcedRelease.Free;
import io.quorumlock.core.lock.Listing.HeldLock;
import io.quorumlock.core.lock.LockDirectory.ForceTerms;
import io.quorumlock.core.lock.LockDirectory.PageTerms;
import io.quorumlock.core.lock.Release.Holder;
import io.quorumlock.testing.EngineFixture;
import io.quorumlock.testing.Proves;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the directory of every engine does while its masters or its store answer. */
@Proves("S4")
public abstract class LockDirectoryContract {
    private final EngineFixture fixture = fixture();

    protected abstract EngineFixture fixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void listsEveryLockOnceOrderedByName() {
        List<String> names = List.of("a", "a b", "a%2Fb", "a/b", "a/c", "b", "é", "\ud83d\ude00");
        names.stream().sorted((x, y) -> y.compareTo(x)).forEach(this::hold);
        assertEquals(names, names(page("", Optional.empty(), 100)));
    }

    @Test
    void showsStateOfLock() {
        Lease lease = hold(RESOURCE, A);
        HeldLock lock = page("", Optional.empty(), 1).locks().get(0);
        assertEquals(RESOURCE, lock.resource());
        Inspection.HolderState holder = lock.state().first();
        assertEquals(OWNER, holder.owner());
        assertEquals(TTL, holder.remaining());
        assertTrue(holder.since().isPresent());
        assertEquals(Optional.of(lease.fence()), holder.fence());
    }

    @Test
    void listsOnlyNamesWithPrefix() {
        List.of("a", "ab", "ab/c", "abc", "b").forEach(this::hold);
        assertEquals(List.of("ab", "ab/c", "abc"), names(page("ab", Optional.empty(), 100)));
        assertEquals(List.of("ab/c"), names(page("ab/", Optional.empty(), 100)));
    }

    @Test
    void pagesCoverAllLocksWithoutGaps() {
        List<String> names =
                IntStream.range(0, 70).mapToObj("many/%03d"::formatted).toList();
        names.forEach(this::hold);
        for (int limit : List.of(7, 35, 64, 69, 70, 71)) {
            List<String> listed = new ArrayList<>();
            Optional<ResourceName> after = Optional.empty();
            do {
                Listing.Page page = page("many", after, limit);
                listed.addAll(names(page));
                after = page.last();
            } while (after.isPresent());
            assertEquals(names, listed, () -> "by " + limit);
        }
    }

    @Test
    void doesNotListEndedLocks() {
        hold("expired");
        fixture.pass(TTL);
        hold("released");
        fixture.await(fixture.engine().release(new ResourceName("released"), A));
        hold("held");
        assertEquals(List.of("held"), names(page("", Optional.empty(), 100)));
    }

    @Test
    void breaksLeaseAndReturnsOwner() {
        hold(RESOURCE, A);
        assertEquals(new Broken(OWNER), force());
        assertEquals(
                new Extension.Lost(Holder.NOBODY, Optional.empty()),
                fixture.await(fixture.engine().extend(RESOURCE, A, TTL)));
    }

    @Test
    void breaksOnlyLeaseOfGivenOwnerAndFencingToken() {
        FencingToken fence = hold(RESOURCE, A).fence();
        FencingToken other = new FencingToken(fence.number() + 1);
        Optional<Owner> stranger = Optional.of(new Owner("stranger"));
        assertEquals(new Free(), force(new ForceTerms(stranger, Optional.empty())));
        assertEquals(new Free(), force(new ForceTerms(Optional.empty(), Optional.of(other))));
        assertEquals(new Free(), force(new ForceTerms(stranger, Optional.of(fence))));
        assertEquals(new Broken(OWNER), force(new ForceTerms(OWNER, Optional.of(fence))));
    }

    /** S3 */
    @Test
    void leaseAfterForcedReleaseHasLargerFencingToken() {
        Lease broken = hold(RESOURCE, A);
        force();
        assertTrue(hold(RESOURCE, B).fence().compareTo(broken.fence()) > 0);
    }

    @Test
    void reportsFreeResourceAsFree() {
        assertEquals(new Free(), force());
        hold(RESOURCE, A);
        force();
        assertEquals(new Free(), force());
    }

    @Test
    void reportsExpiredLockAsFree() {
        hold(RESOURCE, A);
        fixture.pass(TTL);
        assertEquals(new Free(), force());
    }

    @Test
    void breaksAllReadersOrThoseOfOneOwnerOrToken() {
        FencingToken first = share(A, Optional.empty()).fence();
        share(B, OWNER);
        assertEquals(new Broken(OWNER), force(new ForceTerms(OWNER, Optional.empty())));
        share(B, OWNER);
        assertEquals(new Broken(Optional.empty()), force(new ForceTerms(Optional.empty(), Optional.of(first))));
        assertEquals(1, holders());
        share(A, Optional.empty());
        assertEquals(new Broken(Optional.empty()), force());
        assertEquals(new Free(), force());
        share(A, OWNER);
        share(B, OWNER);
        assertEquals(new Broken(OWNER), force());
    }

    private Lease share(LeaseToken token, Optional<Owner> owner) {
        AcquireTerms terms = terms(LockKind.SHARED, token, owner);
        Acquisition outcome = fixture.await(fixture.engine().acquire(ResourceNames.of(RESOURCE), terms));
        return assertInstanceOf(Acquisition.Acquired.class, outcome).lease();
    }

    private int holders() {
        Inspection state = fixture.await(fixture.engine().inspect(RESOURCE));
        return assertInstanceOf(Inspection.Held.class, state).holderCount();
    }

    private ForcedRelease force() {
        return force(ForceTerms.ALL);
    }

    private ForcedRelease force(ForceTerms terms) {
        CompletableFuture<ForcedRelease> forced = fixture.directory().forceRelease(RESOURCE, terms);
        // A forced release may have two rounds.
        fixture.await(forced);
        return fixture.await(forced);
    }

    private Listing.Page page(String prefix, Optional<ResourceName> after, int limit) {
        return assertInstanceOf(
                Listing.Page.class,
                fixture.await(fixture.directory().list(new PageTerms(new ResourcePrefix(prefix), after, limit))));
    }

    private static List<String> names(Listing.Page page) {
        return page.locks().stream().map(lock -> lock.resource().text()).toList();
    }

    private void hold(String name) {
        hold(new ResourceName(name), A);
    }

    private Lease hold(ResourceName resource, LeaseToken token) {
        Acquisition outcome = fixture.await(fixture.engine().acquire(resource, terms(token, OWNER)));
        return assertInstanceOf(Acquisition.Acquired.class, outcome).lease();
    }
}
