// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.testing.OtherProcess;
import io.quorumlock.client.testing.Relay;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Scanner;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.CannotAcquireLockException;

/** The cases that Spring Integration tests its Redis registry with, and faults of the service. */
class QuorumlockLockRegistryTest {
    private static final Duration TTL = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);

    @RegisterExtension
    private final Relay relay = new Relay();

    private final String key = UUID.randomUUID().toString();
    private final QuorumlockClient client = relay.client();
    private final QuorumlockLockRegistry registry = new QuorumlockLockRegistry(client, "spring/", TTL);
    private final QuorumlockLockRegistry other = new QuorumlockLockRegistry(client, "spring/", TTL);

    @Test
    void locksAndUnlocks() {
        Lock lock = registry.obtain(key);
        for (int i = 0; i < 5; i++) {
            lock.lock();
            assertFalse(other.obtain(key).tryLock());
            lock.unlock();
        }
        assertTrue(other.obtain(key).tryLock());
        other.obtain(key).unlock();
    }

    @Test
    void lockIsReentrantForItsThread() throws InterruptedException {
        registry.obtain(key).lock();
        registry.obtain(key).lockInterruptibly();
        assertTrue(registry.obtain(key).tryLock());
        registry.obtain(key).unlock();
        registry.obtain(key).unlock();
        assertFalse(other.obtain(key).tryLock());
        registry.obtain(key).unlock();
        assertTrue(other.obtain(key).tryLock());
        other.obtain(key).unlock();
    }

    @Test
    void keysAreIndependent() {
        registry.obtain(key).lock();
        assertTrue(registry.obtain(key + "/b").tryLock());
        registry.obtain(key + "/b").unlock();
        registry.obtain(key).unlock();
    }

    @Test
    void otherThreadWaitsForTheSameObject() throws Exception {
        Lock lock = registry.obtain(key);
        lock.lock();
        assertFalse(elsewhere(lock::tryLock));
        assertEquals(
                IllegalStateException.class,
                assertThrows(
                                CompletionException.class,
                                () -> elsewhere(() -> {
                                    lock.unlock();
                                    return true;
                                }))
                        .getCause()
                        .getClass());
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            lock.lock();
            lock.unlock();
            return true;
        });
        lock.unlock();
        assertTrue(waiter.get(30, TimeUnit.SECONDS));
    }

    @Test
    void threadsTakeTurnsWithOneObject() {
        Lock lock = registry.obtain(key);
        int[] counted = {0}; // not safe for threads
        Runnable count = () -> IntStream.range(0, 20).forEach(i -> {
            lock.lock();
            counted[0]++;
            lock.unlock();
        });
        CompletableFuture.allOf(CompletableFuture.runAsync(count), CompletableFuture.runAsync(count))
                .join();
        assertEquals(40, counted[0]);
    }

    @Test
    void otherRegistryWaitsForUnlock() throws Exception {
        registry.obtain(key).lock();
        CompletableFuture<Boolean> waiter = CompletableFuture.supplyAsync(() -> {
            other.obtain(key).lock();
            other.obtain(key).unlock();
            return true;
        });
        registry.obtain(key).unlock();
        assertTrue(waiter.get(30, TimeUnit.SECONDS));
    }

    @Test
    void unlockWithoutLockIsAnError() {
        assertThrows(IllegalStateException.class, registry.obtain(key)::unlock);
    }

    @Test
    void heldLockCanBeRenewed() {
        assertThrows(IllegalStateException.class, () -> registry.renewLock(key));
        registry.obtain(key).lock();
        registry.renewLock(key);
        registry.renewLock(key, TTL.plusSeconds(1));
        registry.obtain(key).unlock();
        assertThrows(IllegalStateException.class, () -> registry.renewLock(key));
    }

    @Test
    void interruptEndsAWaitThatCanBeInterrupted() throws Exception {
        Lock lock = registry.obtain(key);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> lock.tryLock(30, TimeUnit.SECONDS));
        Thread.currentThread().interrupt();
        assertFalse(lock.tryLock());
        assertTrue(Thread.currentThread().isInterrupted());
        lock.lock();
        assertTrue(Thread.interrupted());
        lock.unlock();
    }

    @Test
    void lossIsAnErrorOfTheNextCalls() throws Exception {
        QuorumlockLockRegistry shorter = new QuorumlockLockRegistry(client, "spring/", SHORT);
        Lock lock = shorter.obtain(key);
        lock.lock();
        relay.stop();
        Relay.awaitFree("spring/" + key);
        assertThrows(ConcurrentModificationException.class, lock::lock);
        assertThrows(IllegalStateException.class, () -> shorter.renewLock(key));
        assertThrows(ConcurrentModificationException.class, lock::unlock);
        relay.restart();
        assertTrue(lock.tryLock(30, TimeUnit.SECONDS));
        lock.unlock();
    }

    /** For example of a task that failed between lock and unlock. */
    @Test
    void lockOfAThreadThatEndedEnds() throws Exception {
        Thread holder = new Thread(new QuorumlockLockRegistry(client, "spring/", SHORT).obtain(key)::lock);
        holder.start();
        holder.join();
        assertTrue(registry.obtain(key).tryLock(60, TimeUnit.SECONDS));
        registry.obtain(key).unlock();
    }

    @Test
    void serviceThatIsAwayIsAnErrorInTime() {
        relay.stop();
        assertThrows(CannotAcquireLockException.class, registry.obtain(key)::tryLock);
        QuorumlockLockRegistry shorter = new QuorumlockLockRegistry(client, "spring/", SHORT);
        assertThrows(CannotAcquireLockException.class, shorter.obtain(key)::lock);
        relay.hang();
        assertThrows(CannotAcquireLockException.class, registry.obtain(key)::tryLock);
        relay.restart();
        assertTrue(registry.obtain(key).tryLock());
        registry.obtain(key).unlock();
    }

    @Test
    void unlockWithoutServiceEndsWithTheLease() {
        Lock lock = new QuorumlockLockRegistry(client, "spring/", SHORT).obtain(key);
        lock.lock();
        relay.stop();
        lock.unlock();
        assertThrows(IllegalStateException.class, lock::unlock);
    }

    @Test
    void lockSurvivesARestartOfTheService() {
        registry.obtain(key).lock();
        relay.stop();
        relay.restart();
        assertFalse(other.obtain(key).tryLock());
        registry.obtain(key).unlock();
    }

    @Test
    void refusalsAreErrors() {
        assertThrows(CannotAcquireLockException.class, registry.obtain("x".repeat(513))::tryLock);
        QuorumlockLockRegistry longer = new QuorumlockLockRegistry(client, "spring/", Duration.ofDays(2));
        assertThrows(CannotAcquireLockException.class, longer.obtain(key)::tryLock);
    }

    @Test
    void eachKeyHasANameOfItsOwn() {
        Map<String, String> names = Map.ofEntries(
                Map.entry("orders/42", "orders/42"),
                Map.entry("/data/out/a.txt", "%/data/out/a.txt"),
                Map.entry("%/data/out/a.txt", "%25/data/out/a.txt"),
                Map.entry("C:\\data\\ä b", "C:\\data\\ä b"),
                Map.entry("", "%"),
                Map.entry("/", "%/%"),
                Map.entry("a//b/", "a/%/b/%"),
                Map.entry("./.././...", "%./%../%./..."),
                Map.entry("extend", "%extend"),
                Map.entry("fence/fence", "fence/%fence"),
                Map.entry("a\n%0A\u0085\uFFFD", "a%0A%250A%C2%85%EF%BF%BD"));
        names.forEach((key, name) -> {
            Lock lock = registry.obtain(this.key + "/" + key);
            assertEquals("Lock spring/" + this.key + "/" + name, lock.toString());
            assertTrue(lock.tryLock(), key);
            lock.unlock();
            assertEquals(
                    "Lock " + name,
                    new QuorumlockLockRegistry(client, "", TTL).obtain(key).toString());
        });
    }

    @Test
    void lockOfAKilledProcessEnds() throws Exception {
        try (OtherProcess holder = new OtherProcess(Holder.class, key)) {
            assertEquals("locked", holder.readLine());
        }
        assertFalse(registry.obtain(key).tryLock());
        assertTrue(registry.obtain(key).tryLock(60, TimeUnit.SECONDS));
        registry.obtain(key).unlock();
    }

    @Test
    void suspendedProcessLearnsOfTheLossAtUnlock() throws Exception {
        try (OtherProcess holder = new OtherProcess(Holder.class, key)) {
            assertEquals("locked", holder.readLine());
            holder.suspend();
            assertTrue(registry.obtain(key).tryLock(60, TimeUnit.SECONDS));
            holder.resume();
            holder.println("unlock");
            String seen = holder.readLine();
            assertTrue(seen.startsWith("java.util.ConcurrentModificationException: "), seen);
            assertTrue(seen.contains("lease lost: "), seen);
        }
        registry.renewLock(key);
        registry.obtain(key).unlock();
    }

    /** Locks a key, and unlocks it after a line of input. */
    static final class Holder {
        public static void main(String[] arguments) {
            QuorumlockClient client = QuorumlockClient.fromEnvironment();
            Lock lock = new QuorumlockLockRegistry(client, "spring/", Duration.ofSeconds(5)).obtain(arguments[0]);
            lock.lock();
            System.out.println("locked");
            new Scanner(System.in).nextLine();
            try {
                lock.unlock();
            } catch (ConcurrentModificationException e) {
                System.out.println(e);
            }
        }
    }

    private static boolean elsewhere(Supplier<Boolean> work) {
        return CompletableFuture.supplyAsync(work).join();
    }
}
