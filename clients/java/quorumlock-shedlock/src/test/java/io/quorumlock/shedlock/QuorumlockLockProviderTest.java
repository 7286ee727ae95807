// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.shedlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.testing.OtherProcess;
import io.quorumlock.client.testing.Relay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import net.javacrumbs.shedlock.core.DefaultLockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockExtender;
import net.javacrumbs.shedlock.core.LockExtender.LockCanNotBeExtendedException;
import net.javacrumbs.shedlock.core.LockingTaskExecutor;
import net.javacrumbs.shedlock.core.LockingTaskExecutor.Task;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.KeepAliveLockProvider;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

/** The cases that ShedLock tests its providers with, and faults of the service. */
class QuorumlockLockProviderTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @RegisterExtension
    private final Relay relay = new Relay();

    private final String name = "shedlock/" + UUID.randomUUID();
    private final QuorumlockClient client = relay.client();
    private final QuorumlockLockProvider provider = new QuorumlockLockProvider(client);

    @Test
    void locksAndUnlocks() {
        SimpleLock lock = lock(LONG, Duration.ZERO);
        assertLocked();
        lock.unlock();
        lock(LONG, Duration.ZERO).unlock();
    }

    @Test
    void otherNamesAreIndependent() {
        SimpleLock lock = lock(LONG, Duration.ZERO);
        provider.lock(task(name + "/other", LONG, Duration.ZERO)).orElseThrow().unlock();
        lock.unlock();
    }

    @Test
    void locksManyTimesInARow() {
        for (int i = 0; i < 10; i++) {
            SimpleLock lock = lock(LONG, Duration.ZERO);
            assertLocked();
            lock.unlock();
        }
    }

    @Test
    void secondUnlockIsAnError() {
        SimpleLock lock = lock(LONG, Duration.ZERO);
        lock.unlock();
        assertThrows(IllegalStateException.class, lock::unlock);
        assertThrows(IllegalStateException.class, () -> lock.extend(LONG, Duration.ZERO));
    }

    @Test
    void lockEndsAfterLockAtMostFor() throws Exception {
        SimpleLock lock = lock(SHORT, Duration.ZERO);
        Relay.awaitFree(name);
        assertEquals(Optional.empty(), lock.extend(LONG, Duration.ZERO));
        lock(LONG, Duration.ZERO).unlock();
    }

    @Test
    void lockIsKeptForLockAtLeastFor() throws Exception {
        lock(LONG, Duration.ofSeconds(2)).unlock();
        assertLocked();
        Relay.awaitFree(name);
    }

    @Test
    void extendedLockLastsLonger() throws Exception {
        SimpleLock first = lock(Duration.ofSeconds(2), Duration.ZERO);
        SimpleLock second = first.extend(LONG, Duration.ZERO).orElseThrow();
        assertThrows(IllegalStateException.class, first::unlock);
        assertThrows(IllegalStateException.class, () -> first.extend(LONG, Duration.ZERO));
        passes(Duration.ofSeconds(2));
        assertLocked();
        second.extend(LONG, LONG).orElseThrow().unlock();
        assertLocked();
    }

    @Test
    void threadsDoNotRunATaskAtOnce() throws Exception {
        LockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
        List<Integer> counted = new ArrayList<>(); // not safe for threads
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            all.add(threads.submit(() -> {
                for (int[] done = {0}; done[0] < 25; ) {
                    Runnable count = () -> {
                        counted.add(counted.size());
                        done[0]++;
                    };
                    executor.executeWithLock(count, task(name, LONG, Duration.ZERO));
                }
            }));
        }
        for (Future<?> one : all) {
            one.get();
        }
        threads.shutdown();
        for (int i = 0; i < counted.size(); i++) {
            assertEquals(i, counted.get(i));
        }
    }

    /** The lock of the next instance is not touched. */
    @Test
    void taskThatWasSuspendedForLongerIsNotTold() {
        try (OtherProcess instance = new OtherProcess(Instance.class, name)) {
            assertEquals("began", instance.readLine());
            instance.suspend();
            Relay.awaitFree(name);
            SimpleLock next = lock(LONG, Duration.ZERO);
            instance.resume();
            instance.println("go on");
            assertEquals("ended", instance.readLine());
            next.extend(LONG, Duration.ZERO).orElseThrow().unlock();
        }
    }

    /** An unlock goes on in the background. */
    @Test
    void serviceThatIsAwayIsAnErrorInTime() throws InterruptedException {
        SimpleLock lock = lock(LONG, Duration.ZERO);
        relay.stop();
        assertFails("unavailable", () -> lock(LONG, Duration.ZERO));
        assertFails("the lock is free in about ", lock::unlock);
        relay.restart();
        client.tryLock(name, LONG.dividedBy(2), LONG).orElseThrow().close();
    }

    @Test
    void serviceThatDoesNotAnswerIsAnErrorInTime() {
        SimpleLock lock = lock(LONG, Duration.ZERO);
        relay.hang();
        assertFails("unavailable", () -> lock(LONG, Duration.ZERO));
        assertFails("the lock is free in about ", lock::unlock);
    }

    @Test
    void extensionWithoutTheServiceEndsWithTheLock() {
        SimpleLock lock = lock(SHORT, Duration.ZERO);
        relay.stop();
        assertEquals(Optional.empty(), lock.extend(LONG, Duration.ZERO));
    }

    @Test
    void lockIsKeptAliveThroughAnOutage() throws Exception {
        AtomicReference<Runnable> scheduled = new AtomicReference<>();
        ScheduledExecutorService scheduler = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
                scheduled.set(task);
                return schedule(() -> {}, 0, unit);
            }
        };
        KeepAliveLockProvider keepAlive = new KeepAliveLockProvider(provider, scheduler);
        SimpleLock lock = keepAlive.lock(task(name, LONG, Duration.ZERO)).orElseThrow();
        relay.stop();
        CompletableFuture<Void> extension = CompletableFuture.runAsync(scheduled.get());
        assertThrows(
                TimeoutException.class, () -> extension.get(5, TimeUnit.SECONDS)); // longer than that of the client
        relay.restart();
        extension.get(30, TimeUnit.SECONDS);
        assertLocked();
        lock.unlock();
        lock(LONG, Duration.ZERO).unlock();
        scheduler.shutdown();
    }

    @Test
    void taskExtendsItsLock() throws Throwable {
        LockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
        Task work = () -> {
            LockExtender.extendActiveLock(LONG, Duration.ZERO);
            passes(Duration.ofSeconds(3));
            assertLocked();
        };
        executor.executeWithLock(work, task(name, Duration.ofSeconds(2), Duration.ZERO));
    }

    /** ShedLock has no valid lock then, and so its end of the task fails, too. */
    @Test
    void taskThatIsLateCannotExtendItsLock() {
        Task late = () -> {
            Relay.awaitFree(name);
            assertThrows(LockCanNotBeExtendedException.class, () -> LockExtender.extendActiveLock(LONG, Duration.ZERO));
        };
        LockingTaskExecutor executor = new DefaultLockingTaskExecutor(provider);
        assertThrows(
                IllegalStateException.class, () -> executor.executeWithLock(late, task(name, SHORT, Duration.ZERO)));
    }

    /** The other instances wait for the end of the first time, or the unlock. */
    @Test
    void extensionDoesNotShortenTheLock() throws Exception {
        SimpleLock first = lock(LONG, Duration.ZERO);
        SimpleLock second = first.extend(SHORT, Duration.ZERO).orElseThrow();
        passes(Duration.ofSeconds(2));
        assertLocked();
        second.unlock();
        client.tryLock(name, LONG.dividedBy(2), LONG).orElseThrow().close();
    }

    @Test
    void lockSurvivesARestartOfTheService() {
        SimpleLock lock = lock(LONG, Duration.ZERO);
        relay.stop();
        relay.restart();
        assertLocked();
        lock.unlock();
        lock(LONG, Duration.ZERO).unlock();
    }

    @Test
    void refusalsNameTheirReason() {
        assertRefused("empty segment", "a//b", LONG);
        assertRefused("must not be extend or fence", "a/extend", LONG);
        assertRefused("status 400", "x".repeat(513), LONG);
        assertRefused("status 400", name, Duration.ofDays(2));
        assertRefused("ttl must be at least 1 ms", name, Duration.ZERO);
    }

    @Test
    void lockOfAKilledProcessEnds() {
        try (OtherProcess instance = new OtherProcess(Instance.class, name)) {
            assertEquals("began", instance.readLine());
        }
        assertLocked();
        Relay.awaitFree(name);
    }

    /** Runs a task, which ends after a line of input. */
    static final class Instance {
        public static void main(String[] arguments) {
            QuorumlockClient client = QuorumlockClient.fromEnvironment();
            LockConfiguration task = task(arguments[0], Duration.ofSeconds(5), Duration.ZERO);
            Runnable run = () -> {
                System.out.println("began");
                new Scanner(System.in).nextLine();
            };
            new DefaultLockingTaskExecutor(new QuorumlockLockProvider(client)).executeWithLock(run, task);
            System.out.println("ended");
        }
    }

    private void assertRefused(String reason, String refused, Duration lockAtMostFor) {
        assertFails(reason, () -> provider.lock(task(refused, lockAtMostFor, Duration.ZERO)));
    }

    private static void assertFails(String reason, Executable call) {
        LockException e = assertThrows(LockException.class, call);
        assertTrue(e.getMessage().contains(reason), e::getMessage);
    }

    /** Waits for the end of another lock. */
    private void passes(Duration time) throws InterruptedException {
        client.tryLock(name + "/clock", Duration.ZERO, time).orElseThrow();
        client.tryLock(name + "/clock", PATIENCE, SHORT).orElseThrow();
    }

    private SimpleLock lock(Duration atMost, Duration atLeast) {
        return provider.lock(task(name, atMost, atLeast)).orElseThrow();
    }

    private void assertLocked() {
        assertFalse(provider.lock(task(name, LONG, Duration.ZERO)).isPresent());
    }

    private static LockConfiguration task(String name, Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.now(), name, atMost, atLeast);
    }
}
