// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A client of the lock service Quorumlock. It extends leases until they are closed and reports a loss before the lease
 * ends. The file needs Java 17 and nothing else: copy it to {@code io/quorumlock/client}, or change its package.
 *
 * <p>This is the usual code with Redisson:
 *
 * <pre>{@code
 * RLock lock = redisson.getLock("orders/42");
 * if (lock.tryLock(10, 30, TimeUnit.SECONDS)) {
 *     try {
 *         work();
 *     } finally {
 *         lock.unlock();
 *     }
 * }
 * }</pre>
 *
 * This is the same with Quorumlock:
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
 * Unlike the lease time of Redisson, the TTL does not limit the work: it is the time after which the lock is free if
 * this process fails. A lease belongs to no thread and is not reentrant.
 *
 * <p>Create one client for the whole program. It is safe for use by several threads, and all leases share its
 * connections and threads, which are daemons.
 */
@SuppressWarnings("serial") // of the exceptions
public final class QuorumlockClient implements AutoCloseable {
    private static final int LARGEST_ANSWER = 64 * 1024; // bytes
    private static final long LONGEST_WAIT = 60_000; // ms of one request
    private static final SecureRandom RANDOM = new SecureRandom();

    private final List<String> urls;
    private final Path keyFile; // null if the key is not from a file
    private final long timeout; // ms
    private final boolean debug = "1".equals(System.getenv("QUORUMLOCK_DEBUG"));
    private final HttpClient http;
    private final Thread shutdownHook;
    /** Runs requests and callbacks. Its size is not limited, so that none of them delays another. */
    private final ExecutorService pool = Executors.newCachedThreadPool(daemons("quorumlock"));
    /** Runs only tasks that never block. */
    private final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, daemons("quorumlock-timer"));

    private final Set<Lease> leases = ConcurrentHashMap.newKeySet();
    private final Set<Call> acquiring = ConcurrentHashMap.newKeySet();
    private volatile String key; // or null
    private volatile int preferred; // the index of the base URL that answered last
    private volatile boolean closed;

    private QuorumlockClient(Builder settings) {
        urls = Arrays.stream(settings.urls.split(","))
                .map(url -> checkUrl(url.strip()))
                .toList();
        require(settings.key == null || isVisible(settings.key), "the key must be visible ASCII characters");
        key = settings.key;
        keyFile = settings.keyFile;
        timeout = TimeUnit.MILLISECONDS.convert(settings.timeout);
        require(timeout > 0, "timeout must be at least 1 ms");
        timers.setRemoveOnCancelPolicy(true);
        timers.setKeepAliveTime(10, TimeUnit.SECONDS);
        timers.allowCoreThreadTimeOut(true); // idle clients have no threads
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(new EnvironmentProxies())
                .executor(pool);
        http = (settings.sslContext == null ? builder : builder.sslContext(settings.sslContext)).build();
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
        return acquire(List.of(given("name", name)), options);
    }

    /**
     * Acquires one lease with all of several names or none, as {@link #acquire(String, Options)} does for one. It is
     * lost if it loses one of them.
     *
     * @param names up to 32, in any order
     */
    public Lease acquire(List<String> names, Options options) throws InterruptedException {
        require(!given("names", names).isEmpty(), "there must be a name");
        names.forEach(one -> given("a name", one));
        given("options", options);
        String name = String.join(", ", names);
        Target lock = Target.of(names);
        long ttl = TimeUnit.MILLISECONDS.convert(options.ttl);
        require(ttl > 0, "ttl must be at least 1 ms");
        long margin = options.margin == null ? ttl / 6 : notNegative("margin", options.margin);
        require(margin < ttl, "margin (" + margin + " ms) must be less than ttl (" + ttl + " ms)");
        long keep = notNegative("keep", options.keep);
        Integer slots = options.slots;
        require(
                slots == null || slots >= 1 && slots <= 64,
                "slots must be a whole number from 1 to 64, not " + slots);
        require(!options.shared || slots == null, "slots is not allowed with shared");
        long waitMs = Math.min(notNegative("maxWait", options.maxWait), Long.MAX_VALUE / 4);
        String token = newToken();
        String target = lock.with("", "ttlMs=" + ttl)
                + (options.owner == null ? "" : "&owner=" + encode(options.owner))
                + (options.shared ? "&mode=shared" : "")
                + (slots == null ? "" : "&slots=" + slots);
        Moment start = Moment.now();
        Set<Integer> tried = new HashSet<>(); // base URLs since the last pause
        boolean unclear = false; // whether the service may have granted a lease
        try {
            for (int tries = 1, pauses = 0, url = preferred; ; tries++) {
                checkOpen();
                long left = Math.min(Math.max(0, waitMs - start.age()), LONGEST_WAIT);
                boolean unclearBefore = unclear;
                unclear = true;
                Call call = new Call(url, "POST", target + "&waitMs=" + left, token);
                acquiring.add(call);
                Answer answer;
                try {
                    checkOpen();
                    answer = call.await(left + timeout);
                } finally {
                    call.cancel();
                    acquiring.remove(call);
                }
                checkOpen();
                unclear = unclearBefore || answer.mayHaveHadEffect();
                tried.add(url);
                String cause = answer.cause();
                switch (answer.status) {
                    case 200, 201 -> {
                        Deadline deadline = answer.deadline(ttl, token);
                        if (deadline == null) {
                            throw answer.refused(name);
                        }
                        Lease lease = new Lease(names, lock, token, ttl, margin, keep, deadline, answer);
                        if (lease.untilLoss() > 0) {
                            unclear = false;
                            lease.start();
                            return lease;
                        }
                        cause = "the lease was too short";
                    }
                    case 409, 423 -> {
                        if (!answer.isBusy()) {
                            throw answer.refused(name);
                        } else if (start.age() >= waitMs) {
                            throw answer.status == 423 ? held(names, answer) : answer.refused(name);
                        }
                    }
                    // The limits behind 429 are those of each replica.
                    case 0, 429, 500, 502, 503, 504 -> url = (url + 1) % urls.size();
                    case 408 -> {}
                    default -> throw answer.refused(name);
                }
                long age = start.age();
                if (!tried.contains(url) && (age <= waitMs + timeout || tries < urls.size())) {
                    continue;
                }
                long pause = answer.isBusy() || answer.retryAfter < 0 ? backoff(pauses) : answer.retryAfter;
                if (answer.isBusy()) {
                    pause = Math.max(0, Math.min(pause, waitMs - age)); // one more try at the end of the wait
                } else if (age + pause > waitMs + timeout) {
                    throw answer.status == 429
                            ? answer.refused(name)
                            : new UnavailableException(name + ": unavailable: " + cause, answer.failure);
                }
                Thread.sleep(pause);
                pauses++;
                tried.clear();
            }
        } finally {
            if (unclear) {
                await(pool.submit(() -> discard(lock.with("", ""), token)), timeout);
            }
        }
    }

    private LockHeldException held(List<String> all, Answer answer) {
        List<Answer> held = answer.parts("held");
        Answer first = held.get(0);
        List<String> found =
                held.stream().map(part -> part.text("name")).filter(Objects::nonNull).toList();
        List<String> names = found.isEmpty() ? all : found;
        Duration remaining = Duration.ofMillis(Math.max(0, first.number("remainingMs")));
        boolean own = leases.stream()
                .anyMatch(lease -> lease.names.contains(names.get(0)) && lease.slot.isEmpty() && lease.isHeld());
        return new LockHeldException(
                names, first.text("owner"), remaining, first.json.get("kept") == Boolean.TRUE, own);
    }

    /** Releases whatever has this token. */
    private Void discard(String path, String token) throws InterruptedException {
        for (int i = 0, first = preferred; i < urls.size(); i++) {
            int status = new Call((first + i) % urls.size(), "DELETE", path, token).await(timeout).status;
            if (status == 204 || status == 404) {
                break;
            }
        }
        return null;
    }

    /** Ends the calls of {@code acquire} and releases all leases. Waits at most until the deadlines of the leases. */
    @Override
    public void close() {
        if (shutdownHook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(shutdownHook);
            } catch (IllegalStateException shuttingDown) {
                // The hook releases the leases at the same time.
            }
        }
        releaseAll(Long.MAX_VALUE);
    }

    private void releaseAll(long longestWait) {
        closed = true;
        acquiring.forEach(Call::cancel);
        List<Lease> all = List.copyOf(leases);
        all.forEach(Lease::beginRelease);
        Moment start = Moment.now();
        all.forEach(lease -> lease.awaitRelease(longestWait - start.age()));
    }

    /** Reads the key file again. Returns whether it has another key than the one that was used. */
    private boolean renewKey(String used) {
        try {
            String read = keyFile == null ? "" : readKey(keyFile);
            if (!isVisible(read) || read.equals(used)) {
                return false;
            }
            key = read;
            return true;
        } catch (IOException e) {
            return false; // the answer stands
        }
    }

    private static String readKey(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static boolean isVisible(String key) {
        return key.matches("[!-~]+");
    }

    private void checkOpen() {
        require(!closed, "the client is closed");
    }

    /** Waits for the future. An interrupt shortens the wait to {@code timeout}, so that requests can still end. */
    private void await(Future<?> future, long limit) {
        Moment start = Moment.now();
        boolean interrupted = false;
        for (boolean waiting = true; waiting; ) {
            waiting = false;
            try {
                future.get(Math.max(0, limit - start.age()), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                waiting = !interrupted;
                interrupted = true;
                limit = Math.min(limit, start.age() + timeout);
            } catch (ExecutionException | TimeoutException e) {
                // The task goes on in the background.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A lease that is extended until it is closed. Close it in a {@code try} statement with resources. */
    public final class Lease implements AutoCloseable {
        private final List<String> names;
        private final String name;
        private final Target lock;
        private final String token;
        private final long ttl; // ms, like all numbers of this class
        private final long margin;
        private final long keep;
        private final OptionalInt slot;
        private final List<Consumer<? super LeaseLostException>> listeners = new ArrayList<>();
        /** Guards the fields below. It is private so that other code cannot block the timers. */
        private final Object monitor = new Object();

        private Deadline deadline;
        private Deadline latestEnd; // later than the deadline if extensions without an answer had an effect
        private long fencingToken;
        private String lost; // the reason
        private boolean gone; // whether the service told that the lease is over
        private RefusedException refusal; // of the release, or null
        private Future<?> releaseTask; // null before the release
        private String lastFailure; // of the extensions since the last answer with a lease
        private int url = preferred;
        private int failures;
        private Call extension;
        private Future<?> lossTimer = CompletableFuture.completedFuture(null);
        private Future<?> extensionTimer = lossTimer;

        private Lease(
                List<String> names,
                Target lock,
                String token,
                long ttl,
                long margin,
                long keep,
                Deadline deadline,
                Answer answer) {
            this.names = List.copyOf(names);
            this.name = String.join(", ", names);
            this.lock = lock;
            this.keep = keep;
            this.token = token;
            this.ttl = ttl;
            this.margin = margin;
            this.deadline = deadline;
            this.latestEnd = deadline;
            this.fencingToken = answer.fencingToken();
            this.slot = answer.slot();
        }

        private void start() {
            leases.add(this);
            synchronized (monitor) {
                watch();
                extendInTime();
            }
            if (closed) {
                beginRelease();
                awaitRelease(Long.MAX_VALUE);
                checkOpen();
            }
        }

        /** Returns whether the lease is held. This is computed from the clock, so it holds after a pause, too. */
        public boolean isHeld() {
            synchronized (monitor) {
                if (lost == null && releaseTask == null && untilLoss() <= 0) {
                    lose("it was not extended in time" + (lastFailure == null ? "" : ": " + lastFailure));
                }
                return lost == null && releaseTask == null;
            }
        }

        /** Throws {@link LeaseLostException} unless the lease is held. Call it before each step of the work. */
        public void checkHeld() {
            synchronized (monitor) {
                if (!isHeld()) {
                    throw new LeaseLostException(name, lost == null ? "it was released" : lost);
                }
            }
        }

        /** Returns the time until the lease is lost unless it is extended; zero if it is not held. */
        public Duration remaining() {
            synchronized (monitor) {
                return Duration.ofMillis(isHeld() ? Math.max(0, untilLoss()) : 0);
            }
        }

        /** Returns the fencing token, which grows from lease to lease. Send it with every write. */
        public long fencingToken() {
            synchronized (monitor) {
                return fencingToken;
            }
        }

        /**
         * Returns the slot of a semaphore, from 0; empty for other kinds of locks. No other lease has it at the same
         * time. The fencing tokens of a semaphore order only the holders of one slot.
         */
        public OptionalInt slot() {
            return slot;
        }

        /**
         * Registers a callback for the loss of the lease, which runs at once if the lease is lost already, and never
         * after a release. It runs in a thread of its own, {@code margin} before the lease ends at the latest.
         */
        public void onLost(Consumer<? super LeaseLostException> callback) {
            synchronized (monitor) {
                listeners.add(callback);
                if (lost != null && releaseTask == null) {
                    report(callback);
                }
            }
        }

        /**
         * Releases the lease. Waits for the service until the deadline of the lease, or for {@code timeout} after an
         * interrupt. A lost lease is released in the background, for at most {@code timeout}.
         *
         * @return whether the lease was held until this release; false if it was lost before
         * @throws RefusedException if the service rejects the release, as it does if {@code keep} is too long: the TTL
         *     then ends the lease
         */
        public boolean release() {
            beginRelease();
            awaitRelease(Long.MAX_VALUE);
            synchronized (monitor) {
                if (refusal != null) {
                    throw refusal;
                }
                return lost == null;
            }
        }

        @Override
        public String toString() {
            return "Lease of " + name + ", fencing token " + fencingToken() + ", " + (isHeld() ? "held" : "not held");
        }

        /**
         * Releases the lease like {@link #release()}. Does nothing if it was released before.
         *
         * @throws LeaseLostException if the lease was lost before, so that work may have been done without it
         * @throws RefusedException as {@link #release()}
         */
        @Override
        public void close() {
            if (!beginRelease()) {
                awaitRelease(Long.MAX_VALUE);
            } else if (!release()) {
                synchronized (monitor) {
                    throw new LeaseLostException(name, lost);
                }
            }
        }

        private long untilLoss() {
            return deadline.left() - margin;
        }

        private void watch() {
            synchronized (monitor) {
                lossTimer.cancel(false);
                if (isHeld()) { // the timers stop while the machine is suspended, so wake up each second
                    lossTimer = timers.schedule(this::watch, Math.min(untilLoss(), 1000), TimeUnit.MILLISECONDS);
                }
            }
        }

        private void lose(String reason) {
            lost = reason;
            stop();
            listeners.forEach(this::report);
        }

        private void report(Consumer<? super LeaseLostException> callback) {
            LeaseLostException loss = new LeaseLostException(name, lost);
            pool.execute(() -> callback.accept(loss));
        }

        private void stop() {
            lossTimer.cancel(false);
            extensionTimer.cancel(false);
            if (extension != null) {
                extension.cancel();
            }
        }

        private void extendInTime() {
            long delay =
                    deadline.left() - ttl / 3 * 2 - ThreadLocalRandom.current().nextLong(ttl / 10 + 1);
            // At a limited rate, whatever the service answers, and in time for a long margin.
            extendIn(Math.min(Math.max(delay, untilLoss() / 6), untilLoss() / 2));
        }

        private void extendIn(long delay) {
            extensionTimer = timers.schedule(() -> pool.submit(this::extend), delay, TimeUnit.MILLISECONDS);
        }

        private Void extend() throws InterruptedException {
            Call call;
            long limit;
            synchronized (monitor) {
                if (!isHeld()) {
                    return null;
                }
                limit = Math.min(timeout, Math.max(250, untilLoss() / 3));
                call = extension = new Call(url, "PUT", lock.with("/extend", "ttlMs=" + ttl), token);
                latestEnd = new Deadline(call.sent, ttl + limit);
            }
            Answer answer = call.await(limit);
            synchronized (monitor) {
                if (!isHeld()) {
                    return null;
                }
                Deadline extended = answer.status == 200 ? answer.deadline(ttl, token) : null;
                if (extended != null) {
                    deadline = latestEnd = extended;
                    fencingToken = Math.max(fencingToken, answer.fencingToken());
                    failures = 0;
                    lastFailure = null;
                    watch();
                    if (lost == null) {
                        extendInTime();
                    }
                } else if (answer.status == 404 || answer.status == 409) {
                    gone = true;
                    lose("the service did not extend it: " + answer.cause());
                } else {
                    lastFailure = answer.cause();
                    url = (url + 1) % urls.size();
                    long pause = answer.retryAfter < 0 ? backoff(failures++) : answer.retryAfter;
                    if (!"/problems/extensions-exhausted".equals(answer.text("type"))) { // that is final
                        extendIn(Math.min(pause, untilLoss() / 3));
                    }
                }
            }
            return null;
        }

        /** Ends the extensions and sends the release in the background. Returns whether this call began it. */
        private boolean beginRelease() {
            synchronized (monitor) {
                if (releaseTask != null) {
                    return false;
                }
                isHeld(); // reports a loss before the release
                stop();
                if (lost != null) {
                    latestEnd = new Deadline(Moment.now(), Math.min(timeout, latestEnd.left()));
                }
                releaseTask = pool.submit(this::sendRelease);
                return true;
            }
        }

        private void awaitRelease(long longestWait) {
            Future<?> end;
            synchronized (monitor) {
                end = releaseTask;
                longestWait = lost != null ? 0 : Math.min(longestWait, Math.max(250, deadline.left()));
            }
            await(end, longestWait);
        }

        private Void sendRelease() throws InterruptedException {
            String target = lock.with("", keep > 0 && lost == null ? "keepMs=" + keep : "");
            boolean first = true; // whether no earlier request can have released the lease
            for (int tries = 0; !gone; tries++) {
                Call call = new Call((url + tries) % urls.size(), "DELETE", target, token);
                Answer answer = call.await(Math.min(timeout, Math.max(250, latestEnd.left() / 3)));
                if (List.of(204, 400, 404, 409).contains(answer.status)) {
                    synchronized (monitor) {
                        if (answer.status == 400 && lost == null) {
                            refusal = answer.refused(name);
                        } else if (answer.status > 400 && first && lost == null) {
                            lost = "it was over at its release: " + answer.cause();
                        }
                    }
                    break;
                }
                first &= !answer.mayHaveHadEffect();
                long left = latestEnd.left();
                if (left <= 0) {
                    break;
                }
                Thread.sleep(Math.min(answer.retryAfter < 0 ? backoff(tries) : answer.retryAfter, left / 3));
            }
            leases.remove(this);
            return null;
        }
    }

    /** A request that has been sent. It is sent again after a 401 if the key file has another key now. */
    private final class Call {
        private final URI uri;
        private final String method;
        private final String token;
        private final int url;
        private final Moment sent = Moment.now();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private String usedKey;
        private CompletableFuture<HttpResponse<Void>> response;
        private boolean cancelled;

        private Call(int url, String method, String target, String token) {
            this.url = url;
            this.method = method;
            this.token = token;
            uri = URI.create(urls.get(url) + target);
            send();
        }

        private synchronized void send() {
            usedKey = key;
            HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                    .method(method, BodyPublishers.noBody())
                    .header("Lock-Token", token);
            if (usedKey != null) {
                request.header("Authorization", "Bearer " + usedKey);
            }
            body.reset();
            response = http.sendAsync(
                    request.build(), BodyHandlers.ofByteArrayConsumer(part -> part.ifPresent(this::add)));
            if (cancelled) {
                response.cancel(true);
            }
        }

        /** Ends the request. */
        private synchronized void cancel() {
            cancelled = true;
            response.cancel(true);
        }

        private void add(byte[] part) {
            if (body.size() + part.length > LARGEST_ANSWER) {
                throw new UncheckedIOException(new IOException("the answer is too large"));
            }
            body.writeBytes(part);
        }

        /** Waits for the complete answer, and ends the request if it does not arrive within the limit in ms. */
        private Answer await(long limit) throws InterruptedException {
            int status = 0;
            try {
                HttpResponse<Void> head = response.get(limit, TimeUnit.MILLISECONDS);
                while (head.statusCode() == 401 && renewKey(usedKey)) {
                    send();
                    head = response.get(limit - sent.age(), TimeUnit.MILLISECONDS);
                }
                status = head.statusCode();
                preferred = status < 500 ? url : preferred;
                String retryAfter = head.headers().firstValue("Retry-After").orElse("");
                long pause = retryAfter.matches("[1-9]\\d{0,8}") ? Long.parseLong(retryAfter) * 1000 : -1;
                return new Answer(sent, status, Json.fields(body.toString(StandardCharsets.UTF_8)), pause, null);
            } catch (ExecutionException e) {
                return new Answer(sent, 0, null, -1, e.getCause());
            } catch (TimeoutException | CancellationException e) {
                return new Answer(sent, 0, null, -1, e);
            } finally {
                cancel(); // closes the connection unless the answer is complete
                if (debug) {
                    System.err.printf("quorumlock %s %s %d %d ms%n", method, uri.getRawPath(), status, sent.age());
                }
            }
        }
    }

    /**
     * An answer.
     *
     * @param status 0 without a complete answer
     * @param json null if the answer is not a JSON object
     * @param retryAfter in ms, or -1
     */
    private record Answer(Moment sent, int status, Map<?, ?> json, long retryAfter, Throwable failure) {
        private boolean mayHaveHadEffect() {
            boolean notConnected = failure instanceof ConnectException;
            return !notConnected && (!isProblem() || status >= 500);
        }

        /** Returns whether this is a problem document of the service. */
        private boolean isProblem() {
            return text("type") != null && text("type").startsWith("/problems/");
        }

        /** Returns whether the lock is held, perhaps with another number of slots: an acquire is tried again. */
        private boolean isBusy() {
            return status == 423 && "/problems/locked".equals(text("type"))
                    || status == 409 && "/problems/other-slots".equals(text("type"));
        }

        private String text(String field) {
            return json != null && json.get(field) instanceof String text ? printable(text) : null;
        }

        private long number(String field) {
            return json != null && json.get(field) instanceof Long number ? number : -1;
        }

        /** Returns the parts of an answer about several names, or the answer itself. */
        private List<Answer> parts(String field) {
            if (json == null || !(json.get(field) instanceof List<?> list) || list.isEmpty()) {
                return List.of(this);
            }
            return list.stream()
                    .map(part -> part instanceof Map<?, ?> fields ? fields : Map.of())
                    .map(fields -> new Answer(sent, status, fields, retryAfter, failure))
                    .toList();
        }

        private long fencingToken() {
            return parts("leases").get(0).number("fencingToken");
        }

        private OptionalInt slot() {
            long slot = number("slot");
            return slot < 0 ? OptionalInt.empty() : OptionalInt.of((int) slot);
        }

        /** Returns the deadline of the lease of the token, or null. It is at most the TTL from now. */
        private Deadline deadline(long ttl, String token) {
            long validity = number("validityMs");
            long elapsed = number("elapsedMs");
            boolean lease = validity > 0 && elapsed >= 0 && fencingToken() > 0 && token.equals(text("token"));
            return lease ? new Deadline(sent, Math.min(elapsed, sent.age()) + Math.min(validity, ttl)) : null;
        }

        private String cause() {
            if (status == 0) {
                return "no answer (" + failure.getClass().getSimpleName() + ")";
            }
            return "status " + status + ", " + (isProblem() ? text("detail") : "an unexpected answer");
        }

        private RefusedException refused(String name) {
            String message = name + ": refused: " + cause();
            return isProblem()
                    ? new RefusedException(status, text("type"), text("detail"), message)
                    : new RefusedException(status, null, null, message);
        }
    }

    /** A point in time on two clocks. The longer time counts: one stops in suspension, and one can be set back. */
    private record Moment(long nanos, long millis) {
        private static Moment now() {
            return new Moment(System.nanoTime(), System.currentTimeMillis());
        }

        /** Returns the time since this moment in ms, rounded up. */
        private long age() {
            return Math.max((System.nanoTime() - nanos + 999_999) / 1_000_000, System.currentTimeMillis() - millis);
        }
    }

    private record Deadline(Moment start, long length) {
        private long left() {
            return length - start.age();
        }
    }

    /** Reads the strings and integers of one JSON object. Other values are only checked for their form. */
    private static final class Json {
        private final String text;
        private int at;

        private Json(String text) {
            this.text = text;
        }

        /** Returns the fields, or null if the text is not a JSON object. */
        private static Map<String, Object> fields(String text) {
            try {
                Json json = new Json(text.strip());
                check(json.next() == '{');
                Map<String, Object> fields = json.object(0);
                check(json.at == json.text.length());
                return fields;
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                return null;
            }
        }

        private static void check(boolean valid) {
            if (!valid) {
                throw new IllegalArgumentException();
            }
        }

        private char next() {
            while (" \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            return text.charAt(at++);
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> fields = new HashMap<>();
            for (char c = next(); c != '}'; ) {
                check(c == '"');
                String key = string();
                check(next() == ':');
                fields.put(key, value(depth));
                c = next();
                check(c == ',' || c == '}');
                c = c == ',' ? next() : c;
            }
            return fields;
        }

        private Object value(int depth) {
            check(depth < 32);
            char c = next();
            if (c == '"') {
                return string();
            } else if (c == '{') {
                return object(depth + 1);
            } else if (c == '[') {
                List<Object> values = new ArrayList<>();
                for (c = next(); c != ']'; c = c == ',' ? next() : c) {
                    at--;
                    values.add(value(depth + 1));
                    c = next();
                    check(c == ',' || c == ']');
                }
                return values;
            }
            int start = at - 1;
            while (",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String word = text.substring(start, at);
            check(word.matches("true|false|null|-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?"));
            if (word.equals("true")) {
                return true;
            }
            return word.matches("-?\\d{1,18}") ? Long.valueOf(word) : null;
        }

        private String string() {
            StringBuilder value = new StringBuilder();
            for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
                if (c == '\\') {
                    c = text.charAt(at++);
                    int control = "bfnrt".indexOf(c);
                    check(c == 'u' || control >= 0 || "\"\\/".indexOf(c) >= 0);
                    if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at, at += 4), 16);
                    } else if (control >= 0) {
                        c = "\b\f\n\r\t".charAt(control);
                    }
                }
                value.append(c);
            }
            return value.toString();
        }
    }

    /** The proxies of {@code http_proxy}, {@code https_proxy} and {@code no_proxy}, else those of the JVM. */
    private static final class EnvironmentProxies extends ProxySelector {
        @Override
        public List<Proxy> select(URI uri) {
            String name = uri.getScheme().toLowerCase(Locale.ROOT) + "_proxy";
            String proxy = env(name);
            if (proxy == null) {
                ProxySelector system = ProxySelector.getDefault();
                return system == null ? List.of(Proxy.NO_PROXY) : system.select(uri);
            }
            for (String entry : Objects.requireNonNullElse(env("no_proxy"), "").split("[\\s,]+")) {
                String domain = entry.replaceFirst("^\\.", "");
                if (domain.equals("*")
                        || uri.getHost().equals(domain)
                        || uri.getHost().endsWith("." + domain)) {
                    return List.of(Proxy.NO_PROXY);
                }
            }
            URI address;
            try {
                address = new URI(proxy.contains("://") ? proxy : "http://" + proxy);
            } catch (URISyntaxException invalid) {
                address = null;
            }
            if (address == null || address.getHost() == null) {
                // The value may contain a password.
                throw new IllegalArgumentException(name + " is not a valid URL");
            }
            int port = address.getPort() < 0 ? 80 : address.getPort();
            return List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(address.getHost(), port)));
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException e) {}
    }

    /** The options of a lease. Without a call, each has its default. */
    public static final class Options {
        private Duration ttl = Duration.ofSeconds(30);
        private Duration maxWait = Duration.ZERO;
        private Duration keep = Duration.ZERO;
        private boolean shared;
        private Integer slots; // or null
        private String owner = hostName();
        private Duration margin;

        /** Sets the duration of the lease unless it is extended. The default is 30 s. */
        public Options ttl(Duration ttl) {
            this.ttl = given("ttl", ttl);
            return this;
        }

        /** Sets the longest wait if another client holds the lock. The default is 0: the call fails at once. */
        public Options maxWait(Duration wait) {
            this.maxWait = given("maxWait", wait);
            return this;
        }

        /**
         * Sets the time for which nobody gets the lock after the release of a lease that was not lost. The service
         * limits it. The default is 0.
         */
        public Options keep(Duration keep) {
            this.keep = given("keep", keep);
            return this;
        }

        /** Lets other clients share the lock, of one name. A client that does not share it holds it alone. */
        public Options shared() {
            this.shared = true;
            return this;
        }

        /** Sets the number of clients, 1 to 64, that may hold the lock, of one name. All of them give the same number. */
        public Options slots(int number) {
            this.slots = number;
            return this;
        }

        /** Sets the label that is shown to other clients. The default is the name of the host. */
        public Options owner(String owner) {
            this.owner = given("owner", owner);
            return this;
        }

        /** Sets the time between the report of a loss and the end of the lease. The default is a sixth of the TTL. */
        public Options margin(Duration margin) {
            this.margin = given("margin", margin);
            return this;
        }
    }

    /** The settings of a client. Without a call, each has the value of its environment variable, or its default. */
    public static final class Builder {
        private String urls = Objects.requireNonNullElse(env("QUORUMLOCK_URL"), "http://localhost:8080");
        private String key = env("QUORUMLOCK_KEY");
        private Path keyFile;
        private Duration timeout = Duration.ofSeconds(3);
        private SSLContext sslContext;
        private boolean releaseOnShutdown;

        private Builder() {}

        /** Sets the base URLs of the replicas, separated by commas. */
        public Builder url(String urls) {
            this.urls = given("url", urls);
            return this;
        }

        /** Sets the API key, instead of {@code QUORUMLOCK_KEY_FILE}, which is read again after a 401. */
        public Builder key(String key) {
            this.key = given("key", key);
            return this;
        }

        /** Sets the longest time for an answer, beside the wait for a lock. The default is 3 s. */
        public Builder timeout(Duration timeout) {
            this.timeout = given("timeout", timeout);
            return this;
        }

        /** Sets the context for TLS, instead of {@code QUORUMLOCK_CA_FILE} and {@code QUORUMLOCK_CERT_FILE}. */
        public Builder sslContext(SSLContext context) {
            this.sslContext = given("sslContext", context);
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
                String file = env("QUORUMLOCK_KEY_FILE");
                if (key == null && file != null) {
                    keyFile = Path.of(file);
                    key = readKey(keyFile);
                }
                sslContext = sslContext == null ? sslContextOfFiles() : sslContext;
            } catch (IOException | GeneralSecurityException e) {
                throw new RefusedException(0, null, null, "a file of the settings cannot be read: " + e);
            }
            return new QuorumlockClient(this);
        }
    }

    private static SSLContext sslContextOfFiles() throws IOException, GeneralSecurityException {
        String authorities = env("QUORUMLOCK_CA_FILE");
        String certificate = env("QUORUMLOCK_CERT_FILE");
        if (authorities == null && certificate == null) {
            return null;
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = null; // the authorities of the system
        if (authorities != null) {
            trusted = emptyKeyStore();
            for (Certificate authority : certificates(authorities)) {
                trusted.setCertificateEntry("ca-" + trusted.size(), authority);
            }
        }
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = emptyKeyStore();
        if (certificate != null) {
            own.setKeyEntry("client", privateKey(), new char[0], certificates(certificate));
        }
        keys.init(own, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore emptyKeyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Certificate[] certificates(String file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            Certificate[] found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .toArray(Certificate[]::new);
            require(found.length > 0, file + " has no certificates");
            return found;
        }
    }

    private static PrivateKey privateKey() throws IOException, GeneralSecurityException {
        String file = env("QUORUMLOCK_CERT_KEY_FILE");
        require(file != null, "QUORUMLOCK_CERT_FILE needs QUORUMLOCK_CERT_KEY_FILE");
        String[] parts = Files.readString(Path.of(file)).split("-----(BEGIN|END) PRIVATE KEY-----");
        require(parts.length > 1, file + " must have a private key in PKCS #8 (BEGIN PRIVATE KEY)");
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(parts[1]));
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // It is a key of another algorithm.
            }
        }
        throw new InvalidKeySpecException(file + " has a private key of an unknown algorithm");
    }

    private static String checkUrl(String url) {
        URI uri = null;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            // The message would have the URL, and a URL may have a password.
        }
        boolean underscore = uri != null && uri.getHost() == null && String.valueOf(uri.getAuthority()).contains("_");
        require(!underscore, "Java's HTTP client does not accept host names with '_': use another name or an address");
        boolean valid = uri != null && uri.getHost() != null && uri.getScheme().matches("(?i)https?");
        valid = valid && uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        require(valid, "a URL must begin with http:// or https:// and have a host, but no user, query or fragment");
        return url.replaceAll("/+$", "");
    }

    /**
     * The path of a lock, or that of several.
     *
     * @param names the parameters for the query with the names of several, else empty
     */
    private record Target(String path, List<String> names) {
        private static Target of(List<String> names) {
            List<String> paths = names.stream().map(QuorumlockClient::path).toList();
            return names.size() == 1
                    ? new Target(paths.get(0), List.of())
                    : new Target("/locks", names.stream().map(name -> "names=" + encode(name)).toList());
        }

        private String with(String action, String parameter) {
            List<String> query = new ArrayList<>(names);
            query.addAll(parameter.isEmpty() ? List.of() : List.of(parameter));
            return path + action + (query.isEmpty() ? "" : "?" + String.join("&", query));
        }
    }

    private static String path(String name) {
        boolean normal = Arrays.stream(name.split("/", -1)).noneMatch(part -> part.matches("|\\.|\\.\\."));
        require(normal, "a name must not be empty, and must not have an empty segment or the segments . and ..");
        require(!("/" + name).endsWith("/extend"), "the last segment of a name must not be extend");
        require(StandardCharsets.UTF_8.newEncoder().canEncode(name), "the name must be valid Unicode");
        return "/locks/" + encode(name).replace("%2F", "/");
    }

    private static String encode(String text) {
        String form = URLEncoder.encode(text, StandardCharsets.UTF_8);
        return form.replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    private static String newToken() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String hostName() {
        try {
            Path linux = Path.of("/proc/sys/kernel/hostname");
            return Files.exists(linux)
                    ? Files.readString(linux).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return null;
        }
    }

    private static String env(String variable) {
        String value = System.getenv(variable);
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** Returns a text on one line, without control characters. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", "");
    }

    /** Returns a random pause in ms. */
    private static long backoff(int pauses) {
        return ThreadLocalRandom.current().nextLong(Math.min(1000, 100L << Math.min(pauses, 4)) + 1);
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new RefusedException(0, null, message, "refused: " + message);
        }
    }

    private static <T> T given(String option, T value) {
        require(value != null, option + " must not be null");
        return value;
    }

    /** Returns the milliseconds of an option. */
    private static long notNegative(String option, Duration value) {
        require(!value.isNegative(), option + " must not be negative");
        return TimeUnit.MILLISECONDS.convert(value);
    }

    /** A failure of the client. */
    public abstract static class QuorumlockException extends RuntimeException {
        private QuorumlockException(String message, Throwable cause) {
            super(printable(message), cause);
        }
    }

    /** Another client holds the lock, or it is kept after its release. */
    public static final class LockHeldException extends QuorumlockException {
        private final String owner;
        private final Duration remaining;
        private final boolean kept;
        private final List<String> names;

        private LockHeldException(
                List<String> names, String owner, Duration remaining, boolean kept, boolean own) {
            super(
                    names.get(0)
                            + (kept
                                    ? " was released and is kept"
                                    : " is held by " + Objects.requireNonNullElse(owner, "another client"))
                            + " for another " + remaining.toMillis() + " ms"
                            + (names.size() == 1
                                    ? ""
                                    : "; also held: " + String.join(", ", names.subList(1, names.size())))
                            + (own ? "; this process holds it itself: locks are not re-entrant" : ""),
                    null);
            this.owner = owner;
            this.remaining = remaining;
            this.kept = kept;
            this.names = names;
        }

        /** Returns the name, or the held ones of several; the other values are those of the first. */
        public List<String> names() {
            return names;
        }

        /** Returns whether the holder has released the lock, and nobody gets it for the remaining time. */
        public boolean isKept() {
            return kept;
        }

        /** Returns the label of the holder, without control characters, if it is known. */
        public Optional<String> owner() {
            return Optional.ofNullable(owner);
        }

        /** Returns the time until the lease of the holder ends, unless the holder extends it, or the kept time ends. */
        public Duration remaining() {
            return remaining;
        }
    }

    /** No replica with a majority of the masters answered in time. The message has the last cause. */
    public static final class UnavailableException extends QuorumlockException {
        private UnavailableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The service, or the client itself, rejected the request. */
    public static final class RefusedException extends QuorumlockException {
        private final int status;
        private final String type;
        private final String detail;

        private RefusedException(int status, String type, String detail, String message) {
            super(message, null);
            this.status = status;
            this.type = type;
            this.detail = detail;
        }

        /** Returns the HTTP status, or 0 if the client rejected the request. */
        public int status() {
            return status;
        }

        /** Returns the type of the problem document, for example {@code /problems/forbidden}. */
        public Optional<String> type() {
            return Optional.ofNullable(type);
        }

        /** Returns the detail of the problem document. */
        public Optional<String> detail() {
            return Optional.ofNullable(detail);
        }
    }

    /** The lease ended while it was in use. */
    public static final class LeaseLostException extends QuorumlockException {
        private final String reason;

        private LeaseLostException(String name, String reason) {
            super(name + ": lease lost: " + reason, null);
            this.reason = printable(reason);
        }

        /** Returns the reason of the loss. */
        public String reason() {
            return reason;
        }
    }
}
