// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.events;

import static io.quorumlock.core.lock.LockEventKind.ACQUIRED;
import static io.quorumlock.core.lock.LockEventKind.BROKEN;
import static io.quorumlock.core.lock.LockEventKind.EXPIRED;
import static io.quorumlock.core.lock.LockEventKind.EXTENDED;
import static io.quorumlock.core.lock.LockEventKind.RELEASED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.Announcements;
import io.quorumlock.core.lock.Announcements.Announcement;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LockEventKind;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.features.events.LockWatch.LockEvent;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MajorityWatchTest {
    private static final ResourceName RESOURCE = new ResourceName("orders/42");
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final int QUORUM = 3;

    private final VirtualTime time = new VirtualTime();
    private final List<LockEvent> told = new ArrayList<>();
    private final List<LockWatch.Gap> gaps = new ArrayList<>();
    private Announcements.Listener masters;
    private boolean listening;
    private final MajorityWatch watch = new MajorityWatch(new Masters(), time.engineContext(1));
    private Runnable watching;

    @BeforeEach
    void watch() {
        watching = watch(any -> true);
        listenAgain(0, 1, 2, 3, 4);
    }

    private Runnable watch(Predicate<ResourceName> resources) {
        Runnable registered = watch.watch(resources, new LockWatch.Listener() {
            @Override
            public void changed(LockEvent change) {
                told.add(change);
            }

            @Override
            public void missed(LockWatch.Gap gap) {
                gaps.add(gap);
            }
        });
        time.pass(Duration.ZERO);
        return registered;
    }

    @Test
    void reportsEventOfMajorityOnce() {
        announce(ACQUIRED, 1, 0, 1);
        assertEquals(List.of(), kinds());
        announce(ACQUIRED, 1, 4, 2, 3);
        assertEquals(List.of(ACQUIRED), kinds());
        assertEquals(RESOURCE, told.get(0).resource());
        assertEquals(Optional.of(new Owner("me")), told.get(0).owner());
    }

    @Test
    void doesNotCountSameMasterTwice() {
        announce(ACQUIRED, 1, 0, 0, 0, 0, 0);
        assertEquals(List.of(), kinds());
    }

    @Test
    void countsLeasesSeparately() {
        announce(ACQUIRED, 1, 0, 1);
        announce(ACQUIRED, 2, 2, 3);
        assertEquals(List.of(), kinds());
    }

    @Test
    void reportsEveryExtensionOnce() {
        announce(EXTENDED, 1, 0, 1, 2, 3);
        announce(EXTENDED, 1, 0, 1, 2, 4);
        assertEquals(List.of(EXTENDED, EXTENDED), kinds());
    }

    @Test
    void reportsExpiryOnce() {
        announce(ACQUIRED, 1, 0, 1, 2);
        time.pass(TTL.minusMillis(1));
        assertEquals(List.of(ACQUIRED), kinds());
        time.pass(Duration.ofMillis(1));
        assertEquals(List.of(ACQUIRED, EXPIRED), kinds());
        assertEquals(0, time.pending());
    }

    @Test
    void extensionDelaysExpiry() {
        announce(ACQUIRED, 1, 0, 1, 2);
        time.pass(TTL.minusMillis(1));
        announce(EXTENDED, 1, 0, 1, 2);
        time.pass(TTL.minusMillis(1));
        assertEquals(List.of(ACQUIRED, EXTENDED), kinds());
        time.pass(Duration.ofMillis(1));
        assertEquals(List.of(ACQUIRED, EXTENDED, EXPIRED), kinds());
    }

    @Test
    void releasedLeaseDoesNotExpire() {
        announce(ACQUIRED, 1, 0, 1, 2, 3, 4);
        announce(RELEASED, 1, 0, 1, 2, 3, 4);
        time.pass(TTL.multipliedBy(2));
        assertEquals(List.of(ACQUIRED, RELEASED), kinds());
    }

    @Test
    void reportsNothingAfterTheEndOfALease() {
        announce(BROKEN, 1, 0, 1, 2);
        announce(RELEASED, 1, 0, 1, 2);
        announce(EXTENDED, 1, 0, 1, 2);
        assertEquals(List.of(BROKEN), kinds());
    }

    /** R14: leases without a majority are dropped. */
    @Test
    void dropsUnconfirmedLeases() {
        announce(ACQUIRED, 1, 0, 1);
        time.pass(Duration.ofMinutes(1));
        assertEquals(0, time.pending());
        announce(ACQUIRED, 1, 2);
        assertEquals(List.of(), kinds());
    }

    /** Events in the gap are unknown here. */
    @Test
    void reportsGapAfterItsEnd() {
        time.pass(TTL);
        Instant since = time.engineContext(1).wallClock().instant();
        breakOff(0, 1, 2);
        time.pass(TTL);
        assertEquals(List.of(), gaps);
        listenAgain(0);
        time.pass(SubscriptionCoverage.NOTICE_TIME);
        Instant until = since.plus(TTL).plus(SubscriptionCoverage.NOTICE_TIME);
        assertEquals(List.of(new LockWatch.Gap(since, until)), gaps);
        assertEquals(0, time.pending());
    }

    @Test
    void doesNotReportGapToEndedListener() {
        breakOff(0, 1, 2);
        listenAgain(0, 1, 2);
        watching.run();
        time.pass(TTL);
        assertEquals(List.of(), gaps);
        assertEquals(0, time.pending());
    }

    @Test
    void endsSubscriptionWithLastListener() {
        announce(ACQUIRED, 1, 0, 1, 2);
        assertTrue(listening);
        watching.run();
        time.pass(Duration.ZERO);
        assertFalse(listening);
        assertEquals(0, time.pending());
    }

    @Test
    void reportsOnlyWhatListenersWant() {
        watching.run();
        watch(name -> !name.equals(RESOURCE));
        announce(ACQUIRED, 1, 0, 1, 2);
        assertEquals(List.of(), kinds());
        assertEquals(Optional.empty(), masters.wantedSince(RESOURCE));
    }

    @Test
    void wantsWhatTheFirstListenerWants() {
        MonotonicTime first = time.now();
        time.pass(TTL);
        watch(RESOURCE::equals);
        assertEquals(Optional.of(first), masters.wantedSince(RESOURCE));
        watching.run();
        time.pass(Duration.ZERO);
        assertEquals(Optional.of(first.plus(TTL)), masters.wantedSince(RESOURCE));
    }

    private List<LockEventKind> kinds() {
        return told.stream().map(LockEvent::kind).toList();
    }

    private void announce(LockEventKind kind, long fence, int... by) {
        for (int master : by) {
            masters.announced(
                    master,
                    new Announcement(
                            kind,
                            RESOURCE,
                            Optional.of(new Owner("me")),
                            new FencingToken(fence),
                            TTL,
                            LockKind.EXCLUSIVE,
                            Optional.empty()));
        }
    }

    private void breakOff(int... from) {
        for (int master : from) {
            masters.subscriptionLost(master, time.now());
        }
    }

    private void listenAgain(int... to) {
        for (int master : to) {
            masters.subscribed(master);
        }
    }

    private final class Masters implements Announcements {
        @Override
        public int quorum() {
            return QUORUM;
        }

        @Override
        public Runnable listen(Listener listener) {
            masters = listener;
            listening = true;
            return () -> listening = false;
        }
    }
}
