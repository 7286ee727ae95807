// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.spring;

import io.quorumlock.client.Lease;
import io.quorumlock.client.LeaseLostException;
import io.quorumlock.client.LockHeldException;
import io.quorumlock.client.Options;
import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.QuorumlockException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A lock registry of Spring Integration. Its locks belong to a thread, which can lock them several times. The client extends
 * their leases until they are unlocked, or until the thread has ended, which no other thread can unlock for.
 *
 * <p>If a lease is lost, for example because the process was suspended for longer than the TTL, another process may get the
 * lock while this one works. {@code unlock}, and a lock that the thread takes once more, then throw {@link
 * ConcurrentModificationException}, as other registries do.
 *
 * <p>The name of a lock is its key after the prefix: {@code orders/42} stays as it is. Characters and
 * segments that the service refuses are encoded: {@code /data/a.txt} becomes {@code %/data/a.txt}. A name that is too long is a {@link
 * CannotAcquireLockException}, and so is a service that does not answer: at once for {@code tryLock} without a time,
 * after the TTL for {@code lock}.
 */
public final class QuorumlockLockRegistry implements RenewableLockRegistry {
    private final QuorumlockClient client;
    private final String prefix;
    private final Duration ttl;
    private final Map<Holder, Holding> holdings = new ConcurrentHashMap<>();

    /**
     * Creates a registry.
     *
     * @param prefix for example {@code shop/}
     * @param ttl the duration of a lease unless it is extended
     */
    public QuorumlockLockRegistry(QuorumlockClient client, String prefix, Duration ttl) {
        this.client = Objects.requireNonNull(client);
        this.prefix = Objects.requireNonNull(prefix);
        this.ttl = Objects.requireNonNull(ttl);
    }

    @Override
    public Lock obtain(Object lockKey) {
        return new LeasedLock(prefix + LockName.of(lockKey));
    }

    @Override
    public void renewLock(Object lockKey) {
        renewLock(lockKey, ttl);
    }

    /** Renews a lock for at least this time. Spring Integration 6 does not have this method. */
    public void renewLock(Object lockKey, Duration length) {
        String name = prefix + LockName.of(lockKey);
        try {
            if (!held(name).lease.extend(length)) {
                throw new IllegalStateException("Could not renew " + name + ": its lease is lost");
            }
        } catch (QuorumlockException e) {
            throw new IllegalStateException("Could not renew " + name, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while renewing " + name, e);
        }
    }

    private Holding held(String name) {
        Holding holding = holdings.get(Holder.of(name));
        if (holding == null) {
            throw new IllegalStateException("This thread does not hold " + name);
        }
        return holding;
    }

    /** Nobody calls {@code unlock} for a thread that ended, so this frees its memory. */
    private void forgetIfEnded(Holder holder, Lease lease) {
        if (!holder.thread.isAlive()) {
            holdings.remove(holder);
            lease.release();
        }
    }

    private record Holder(Thread thread, String name) {
        static Holder of(String name) {
            return new Holder(Thread.currentThread(), name);
        }
    }

    private static final class Holding {
        private final Lease lease;
        private int times = 1;

        private Holding(Lease lease) {
            this.lease = lease;
        }
    }

    private final class LeasedLock implements Lock {
        private final String name;

        private LeasedLock(String name) {
            this.name = name;
        }

        @Override
        public void lock() {
            boolean interrupted = false;
            for (boolean locked = false; !locked; ) {
                try {
                    lockInterruptibly();
                    locked = true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            while (!tryLock(ttl)) {
                // Another thread or process holds it.
            }
        }

        @Override
        public boolean tryLock() {
            try {
                return tryLock(Duration.ZERO);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            return tryLock(Duration.ofNanos(Math.max(0, unit.toNanos(time))));
        }

        private boolean tryLock(Duration wait) throws InterruptedException {
            try {
                Holder holder = Holder.of(name);
                Holding holding = holdings.get(holder);
                if (holding == null) {
                    Options options = new Options().ttl(ttl).maxWait(wait).whileAlive(holder.thread);
                    Lease lease = client.acquire(name, options);
                    holdings.put(holder, new Holding(lease));
                    lease.onLost(lost -> forgetIfEnded(holder, lease));
                } else {
                    holding.lease.checkHeld();
                    holding.times++;
                }
                return true;
            } catch (LockHeldException e) {
                return false;
            } catch (LeaseLostException e) {
                throw new ConcurrentModificationException(e);
            } catch (QuorumlockException e) {
                throw new CannotAcquireLockException("Failed to lock: " + e.getMessage(), e);
            }
        }

        @Override
        public void unlock() {
            Holding holding = held(name);
            if (--holding.times > 0) {
                return;
            }
            holdings.remove(Holder.of(name));
            try {
                holding.lease.close();
            } catch (LeaseLostException e) {
                throw new ConcurrentModificationException(e);
            }
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("Conditions are not supported");
        }

        @Override
        public String toString() {
            return "Lock " + name;
        }
    }
}
