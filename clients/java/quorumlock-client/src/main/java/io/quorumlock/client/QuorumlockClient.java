// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/**
 * A client of the lock service Quorumlock. It extends leases until they are closed and reports a loss before the lease
 * ends.
 *
 * <pre>{@code
 * QuorumlockClient client = QuorumlockClient.fromEnvironment(); // one for the whole program
 * Options options = new Options().maxWait(Duration.ofSeconds(10)).ttl(Duration.ofSeconds(30));
 * try (Lease lease = client.acquire("orders/42", options)) {
 *     lease.onLost(lost -> worker.interrupt());
 *     work(lease.fencingToken());
 * } catch (LockHeldException e) {
 *     // the lock is held, or kept after its release: e.owner(), e.remaining()
 * }
 * }</pre>
 *
 * The TTL does not limit the work: it is the time after which the lock is free if this process fails. A lease belongs to
 * no thread and is not re-entrant. {@link #tryLock} is the call for users of Redisson.
 *
 * <p>Create one client for the whole program. It is safe for use by several threads, and all leases share its
 * connections and threads, which are daemons.
 */
public final class QuorumlockClient implements AutoCloseable {
    private final Transport transport;
    private final Thread shutdownHook;
    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private final Set<Call> acquiring = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private QuorumlockClient(Builder settings) {
        long timeout = Checks.positive("timeout", settings.timeout);
        transport = new Transport(settings.urls, settings.key, settings.keyFile, timeout, settings.sslContext);
        shutdownHook = settings.releaseOnShutdown ? new Thread(() -> releaseAll(2000)) : null;
        if (shutdownHook != null) {
            Runtime.getRuntime().addShutdownHook(shutdownHook);
        }
    }

    /** Returns a builder. The environment variables {@code QUORUMLOCK_…} are its defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a client with the settings of the environment. Throws {@link RefusedException} if one is invalid. */
    public static QuorumlockClient fromEnvironment() {
        return builder().build();
    }

    /** Acquires a lease with the default options, as {@link #acquire(String, Options)} does. */
    public Lease acquire(String name) throws InterruptedException {
        return acquire(name, new Options());
    }

    /**
     * Acquires a lease, which is extended until it is closed.
     *
     * @param name at most 512 bytes of UTF-8, for example {@code orders/42}
     * @throws LockHeldException if another client still holds the lock after the wait
     * @throws UnavailableException if no replica with a majority of the masters answered in time
     * @throws RefusedException if the request is invalid or not allowed
     * @throws InterruptedException if the thread was interrupted; nothing stays locked
     */
    public Lease acquire(String name, Options options) throws InterruptedException {
        return acquire(List.of(Checks.given("name", name)), options);
    }

    /**
     * Acquires one lease with all of several names or none, as {@link #acquire(String, Options)} does for one. It is
     * lost if it loses one of them.
     *
     * @param names up to 32, in any order
     */
    public Lease acquire(List<String> names, Options options) throws InterruptedException {
        return new Acquire(this, transport, Terms.of(names, options)).run();
    }

    /**
     * Acquires a lease that ends after a time, as {@code tryLock(wait, lease, unit)} of Redisson does: nobody extends
     * it, so the work must end before it.
     *
     * @return the lease, or empty if another client still holds the lock after the wait
     * @throws UnavailableException as {@link #acquire(String, Options)}
     * @throws RefusedException as {@link #acquire(String, Options)}
     */
    public Optional<Lease> tryLock(String name, Duration wait, Duration lease) throws InterruptedException {
        try {
            return Optional.of(
                    acquire(name, new Options().maxWait(wait).ttl(lease).fixed()));
        } catch (LockHeldException held) {
            return Optional.empty();
        }
    }

    /**
     * Checks that a replica is ready: that it reaches a majority of its masters.
     *
     * @throws UnavailableException if none is
     */
    public void checkReady() throws InterruptedException {
        String cause = null;
        for (int i = 0, first = transport.preferred; i < transport.urls.size(); i++) {
            Answer answer = transport
                    .send((first + i) % transport.urls.size(), "GET", "/q/health/ready", null)
                    .await(transport.timeout);
            if (answer.status() == 200) {
                return;
            }
            cause = answer.status() == 0 ? answer.cause() : "status " + answer.status();
        }
        throw new UnavailableException("not ready: " + cause, null);
    }

    /** Waits for the answer to an acquire. The end of the client ends the wait. */
    Answer await(Call call, long limit) throws InterruptedException {
        acquiring.add(call);
        Answer answer;
        try {
            checkOpen();
            answer = call.await(limit);
        } finally {
            call.cancel();
            acquiring.remove(call);
        }
        checkOpen();
        return answer;
    }

    boolean isClosed() {
        return closed;
    }

    void checkOpen() {
        Checks.require(!closed, "the client is closed");
    }

    /** Returns the error for an acquire of these names that got this answer. */
    LockHeldException held(List<String> all, Answer answer) {
        List<Answer> held = answer.parts("held");
        Answer first = held.get(0);
        List<String> found = held.stream()
                .map(part -> part.text("name"))
                .filter(Objects::nonNull)
                .toList();
        List<String> names = found.isEmpty() ? all : found;
        Duration remaining = Duration.ofMillis(Math.max(0, first.number("remainingMs")));
        boolean own = leases.stream().anyMatch(lease -> lease.isHeldAlone(names.get(0)));
        return new LockHeldException(names, first.text("owner"), remaining, first.flag("kept"), own);
    }

    /** Adds a lease, which is released at the end of the client. */
    void add(Lease lease) {
        leases.add(lease);
    }

    void remove(Lease lease) {
        leases.remove(lease);
    }

    /**
     * Ends the calls of {@code acquire} and releases all leases, so that other clients get the locks although threads may
     * still work. Waits for the service for at most {@code timeout}.
     */
    @Override
    public void close() {
        if (shutdownHook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(shutdownHook);
            } catch (IllegalStateException shuttingDown) {
                // The hook releases the leases at the same time.
            }
        }
        releaseAll(transport.timeout);
    }

    private void releaseAll(long longestWait) {
        closed = true;
        acquiring.forEach(Call::cancel);
        List<Lease> all = List.copyOf(leases);
        all.forEach(Lease::beginRelease);
        Moment start = Moment.now();
        all.forEach(lease -> lease.awaitRelease(longestWait - start.age()));
    }

    /** The settings of a client. Without a call, each has the value of its environment variable, or its default. */
    public static final class Builder {
        private String urls = Objects.requireNonNullElse(Text.env("QUORUMLOCK_URL"), "http://localhost:8080");
        private String key = Text.env("QUORUMLOCK_KEY");
        private Path keyFile;
        private Duration timeout = Duration.ofSeconds(3);
        private SSLContext sslContext;
        private boolean releaseOnShutdown;

        private Builder() {}

        /** Sets the base URLs of the replicas, separated by commas. */
        public Builder url(String urls) {
            this.urls = Checks.given("url", urls);
            return this;
        }

        /** Sets the API key, instead of {@code QUORUMLOCK_KEY_FILE}, which is read again after a 401. */
        public Builder key(String key) {
            this.key = Checks.given("key", key);
            return this;
        }

        /** Sets the longest time for an answer, beside the wait for a lock. The default is 3 s. */
        public Builder timeout(Duration timeout) {
            this.timeout = Checks.given("timeout", timeout);
            return this;
        }

        /** Sets the context for TLS, instead of {@code QUORUMLOCK_CA_FILE} and {@code QUORUMLOCK_CERT_FILE}. */
        public Builder sslContext(SSLContext context) {
            this.sslContext = Checks.given("sslContext", context);
            return this;
        }

        /**
         * Sets whether a shutdown of the JVM, for example by SIGTERM, releases all leases. It takes 2 s at most. The
         * default is false, because other threads go on working while the JVM shuts down: set it only for programs
         * that have no shutdown hooks which wait for work under a lease.
         */
        public Builder releaseOnShutdown(boolean release) {
            this.releaseOnShutdown = release;
            return this;
        }

        /** Returns a client. Throws {@link RefusedException} if a setting is invalid. */
        public QuorumlockClient build() {
            try {
                String file = Text.env("QUORUMLOCK_KEY_FILE");
                if (key == null && file != null) {
                    keyFile = Path.of(file);
                    key = Transport.readKey(keyFile);
                }
                sslContext = sslContext == null ? Certificates.context() : sslContext;
            } catch (IOException | GeneralSecurityException e) {
                throw new RefusedException(0, null, null, "a file of the settings cannot be read: " + e);
            }
            return new QuorumlockClient(this);
        }
    }
}
