// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.testing.Claims;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.RedisServers;
import io.quorumlock.testing.ServiceProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hand-overs while all subscriptions are killed twice a second, for as long as the random faults run, at most a minute.
 */
@Tag("nightly")
class BrokenSubscriptionsIT {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration LENGTH =
            shorter(RunOrder.read(System::getProperty, 1).length(), MINUTE);
    private static final Duration BETWEEN_KILLS = Duration.ofMillis(500);
    private static final Duration TTL = Duration.ofSeconds(2);
    /** The limit on an idle machine. The delay of a busy machine is added. */
    private static final Duration LONGEST = TTL.plusSeconds(1);

    private static final int LONGEST_WAIT_MS = 10_000;
    private static final int RESOURCES = 3;
    private static final int CLIENTS = 4;
    private static final int MAJORITY = 3;

    private final List<RedisServer> masters = RedisServers.start(5);
    private final ServiceProcess one = ServiceProcess.on(masters);
    private final ServiceProcess two = ServiceProcess.on(masters);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Claims claims = new Claims();

    @AfterEach
    void stop() {
        threads.shutdownNow();
        one.close();
        two.close();
        RedisServers.close(masters);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** R12: there are always waiters, so the time between two grants is the wait of the head of the queue. */
    @Test
    void servesHeadOfQueueWithoutSubscriptions() {
        long begun = System.nanoTime();
        long end = begun + LENGTH.toNanos();
        List<HandOvers> locks = new ArrayList<>();
        List<CompletableFuture<?>> clients = new ArrayList<>();
        for (int i = 0; i < RESOURCES; i++) {
            HandOvers lock = new HandOvers("unheard/" + i, begun);
            locks.add(lock);
            for (int j = 0; j < CLIENTS; j++) {
                ServiceProcess replica = j % 2 == 0 ? one : two;
                Random random = new Random(i * CLIENTS + j);
                clients.add(CompletableFuture.runAsync(() -> acquireRepeatedly(replica, lock, random, end), threads));
            }
        }
        Duration longest;
        try (MachineDelay machine = new MachineDelay()) {
            killSubscriptions(begun, end);
            clients.forEach(CompletableFuture::join);
            longest = LONGEST.plus(machine.total());
        }
        System.out.println("broken subscriptions: " + locks + ", at most " + longest);
        claims.check();
        locks.forEach(lock -> assertTrue(lock.longestWait(end).compareTo(longest) <= 0, lock::toString));
        locks.forEach(lock -> assertTrue(lock.vanished() > 0 && lock.released() > 0, lock::toString));
    }

    /** Acquires repeatedly. Releases the lock or abandons it like a crashed client. */
    private void acquireRepeatedly(ServiceProcess replica, HandOvers lock, Random random, long end) {
        while (System.nanoTime() - end < 0) {
            Answer answer = replica.client().acquire(lock.resource(), (int) TTL.toMillis(), LONGEST_WAIT_MS);
            if (answer.status() != 201) {
                // The order between replicas is random, and masters can be late.
                assertTrue(Set.of(423, 503).contains(answer.status()), answer.body()::toString);
                continue;
            }
            Claims.Holding claim = claims.granted(lock.resource(), answer, (int) TTL.toMillis());
            boolean abandons = random.nextInt(3) == 0;
            lock.granted(answer.received(), abandons);
            if (!abandons) {
                Pause.of(Duration.ofMillis(random.nextInt(300)));
                claim.released();
                // If a master is late, the service repeats the release.
                replica.client().release(lock.resource(), answer.token());
            }
        }
    }

    private void killSubscriptions(long begun, long end) {
        int rounds = 0;
        int killed = 0;
        for (long due = begun; due - end < 0; due += BETWEEN_KILLS.toNanos()) {
            Pause.until(due);
            rounds++;
            for (RedisServer master : masters) {
                killed += Integer.parseInt(master.cli("CLIENT", "KILL", "TYPE", "pubsub"));
            }
        }
        String evidence = killed + " subscriptions killed in " + rounds + " rounds";
        assertTrue(killed > rounds * MAJORITY, evidence);
    }
}
