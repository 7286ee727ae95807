// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.RecordStore.StoredUptime;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@Proves({"S1", "L1"})
class UptimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration PERIOD = Duration.ofMillis(7_500);

    private final VirtualTime time = new VirtualTime();
    private StoredUptime stored = new StoredUptime("", 0, 0);
    private long revision;

    private Uptime start() {
        Uptime replica = new Uptime(HOUR, time);
        replica.learn(stored);
        replica.sawLease(HOUR.multipliedBy(24));
        return replica;
    }

    /** Writes a note, whose call takes no time. */
    private void note(Uptime replica) {
        stored = new StoredUptime(replica.next().orElseThrow(), ++revision, stored.version() + 1);
        replica.learn(stored);
    }

    /** Passes time, with the notes that a replica writes in it. */
    private void run(Uptime replica, Duration duration) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(replica.period())) {
            time.pass(replica.period());
            note(replica);
        }
    }

    private Duration age(Uptime replica, long ofRevision) {
        return time.now().since(replica.since(ofRevision, time.now()));
    }

    @Test
    void writeIsAsOldAsTheTimeSinceTheNextNote() {
        Uptime first = start();
        run(first, PERIOD);
        long write = ++revision;
        run(first, PERIOD.multipliedBy(3));
        assertEquals(PERIOD.multipliedBy(2), age(start(), write));
        assertEquals(Duration.ZERO, age(start(), ++revision));
    }

    @Test
    void timeWithoutReplicaDoesNotCount() {
        Uptime first = start();
        long write = ++revision;
        run(first, PERIOD.multipliedBy(3));
        time.pass(HOUR);
        Uptime second = start();
        assertEquals(PERIOD.multipliedBy(2), age(second, write));
        run(second, PERIOD.multipliedBy(3));
        assertEquals(PERIOD.multipliedBy(5), age(start(), write));
    }

    /** A lease that was written between the decision to write a note and its effect is not older than that effect. */
    @Test
    void timeOfTheCallDoesNotCount() {
        Uptime first = start();
        time.pass(PERIOD);
        String text = first.next().orElseThrow();
        time.pass(SECOND.multipliedBy(3));
        long write = ++revision;
        stored = new StoredUptime(text, ++revision, 1);
        time.pass(SECOND);
        first.learn(stored);
        run(first, PERIOD);
        assertEquals(PERIOD, age(start(), write));
    }

    @Test
    void laterReportOfAnOldNoteIsIgnored() {
        Uptime first = start();
        StoredUptime old = stored;
        long write = ++revision;
        run(first, PERIOD.multipliedBy(2));
        first.learn(old);
        assertEquals(PERIOD, age(first, write));
    }

    @Test
    void neverMakesAWriteYounger() {
        Uptime first = start();
        run(first, PERIOD);
        MonotonicTime seen = time.now();
        time.pass(HOUR);
        assertEquals(seen, start().since(revision, seen));
    }

    @Test
    void textOfAnotherProgramBeginsANewCount() {
        long write = ++revision;
        stored = new StoredUptime("[]", ++revision, 1);
        Uptime first = start();
        run(first, PERIOD.multipliedBy(2));
        assertEquals(PERIOD, age(start(), write));
    }

    /** Leases that were there before are not known at the start. */
    @Test
    void nothingIsWrittenForShortLeasesButInTheFirstMinute() {
        Uptime replica = new Uptime(HOUR, time);
        replica.learn(stored);
        replica.sawLease(SECOND.multipliedBy(59));
        assertTrue(replica.next().isPresent());
        time.pass(SECOND.multipliedBy(60));
        replica.sawLease(SECOND.multipliedBy(59));
        assertEquals(Optional.empty(), replica.next());
        replica.sawLease(SECOND.multipliedBy(60));
        assertTrue(replica.next().isPresent());
        time.pass(SECOND.multipliedBy(60));
        assertEquals(Optional.empty(), replica.next());
    }

    /** Another replica may permit longer leases. */
    @Test
    void keepsNotesForTheLongestLeaseOfAnyReplica() {
        Uptime shorter = new Uptime(SECOND.multipliedBy(60), time);
        shorter.learn(stored);
        shorter.sawLease(HOUR.multipliedBy(24));
        long write = ++revision;
        run(shorter, HOUR);
        assertTrue(age(start(), write).compareTo(HOUR.minus(PERIOD)) >= 0);
    }

    /** L1: a lock is free within a quarter more than its TTL, and the text stays short. */
    @Test
    void knowsEachAgeByAnEighth() {
        Uptime first = start();
        for (int minute = 0; minute < 300; minute++) {
            run(first, SECOND.multipliedBy(60));
        }
        int perHour = (int) (HOUR.toMillis() / first.period().toMillis());
        Uptime next = start();
        for (int notes = 1; notes <= perHour; notes++) {
            Duration real = first.period().multipliedBy(notes);
            Duration known = age(next, revision - notes + 1);
            assertTrue(known.compareTo(real) <= 0, () -> real + " is taken for " + known);
            Duration least = real.multipliedBy(7).dividedBy(8).minus(first.period());
            assertTrue(known.compareTo(least) >= 0, () -> real + " is taken for " + known);
        }
        assertTrue(stored.text().length() < 3_000, stored.text());
    }
}
