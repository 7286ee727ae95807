// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.shedlock;

import io.quorumlock.client.Lease;
import io.quorumlock.client.LockHeldException;
import io.quorumlock.client.Options;
import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.QuorumlockException;
import io.quorumlock.client.UnavailableException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.AbstractSimpleLock;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;

/**
 * A lock provider of ShedLock. {@code lockAtMostFor} is the TTL of the lease, which nobody extends, and {@code
 * lockAtLeastFor} keeps the lock after its release.
 *
 * <p>If a task runs for longer than {@code lockAtMostFor}, its lock ends and another instance may run the task at the same
 * time, as with each provider of ShedLock. The task is not told. Use {@code LockExtender} or {@code KeepAliveLockProvider}
 * for tasks whose duration is not known.
 *
 * <p>A name, or a {@code lockAtMostFor}, that the service refuses is a {@link LockException} with its reason, and so is a
 * service that does not answer in time. After such an error, {@code unlock} goes on in the background, and {@code
 * lockAtMostFor} ends the lock. {@code extend} tries again until the lock ends.
 */
public final class QuorumlockLockProvider implements ExtensibleLockProvider {
    private static final long LONGEST_PAUSE = 1_000; // ms

    private final QuorumlockClient client;
    private final String prefix;

    /** Creates a provider whose locks have the names of the tasks. */
    public QuorumlockLockProvider(QuorumlockClient client) {
        this(client, "");
    }

    /**
     * Creates a provider whose locks have the names of the tasks after a prefix.
     *
     * @param prefix for example {@code shop/}
     */
    public QuorumlockLockProvider(QuorumlockClient client, String prefix) {
        this.client = Objects.requireNonNull(client);
        this.prefix = Objects.requireNonNull(prefix);
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration task) {
        Options options =
                new Options().ttl(task.getLockAtMostFor()).margin(Duration.ZERO).fixed();
        return call(() -> {
            try {
                return Optional.of(new LeasedLock(task, client.acquire(prefix + task.getName(), options)));
            } catch (LockHeldException held) {
                return Optional.empty();
            }
        });
    }

    private static <T> T call(Request<T> request) {
        try {
            return request.run();
        } catch (QuorumlockException e) {
            throw new LockException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LockException("interrupted", e);
        }
    }

    private interface Request<T> {
        T run() throws InterruptedException;
    }

    private static final class LeasedLock extends AbstractSimpleLock {
        private final Lease lease;

        private LeasedLock(LockConfiguration task, Lease lease) {
            super(task);
            this.lease = lease;
        }

        @Override
        protected void doUnlock() {
            Duration rest = Duration.between(ClockProvider.now(), lockConfiguration.getLockAtLeastUntil());
            call(() -> lease.release(rest.isNegative() ? Duration.ZERO : rest));
        }

        @Override
        protected Optional<SimpleLock> doExtend(LockConfiguration task) {
            boolean extended = call(() -> extend(task.getLockAtMostFor()));
            return extended ? Optional.of(new LeasedLock(task, lease)) : Optional.empty();
        }

        /** Tries again until the lease ends, because KeepAliveLockProvider gives up after the first error. */
        private boolean extend(Duration length) throws InterruptedException {
            while (true) {
                try {
                    return lease.extend(length);
                } catch (UnavailableException e) {
                    // The service may answer before the end of the lease, after which extend returns false.
                    Thread.sleep(Math.min(LONGEST_PAUSE, lease.remaining().toMillis() / 3));
                }
            }
        }
    }
}
