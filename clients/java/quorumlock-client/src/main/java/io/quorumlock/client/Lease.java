// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A lease. The client extends it until it is closed, unless its options are otherwise. Close it in a {@code try} statement
 * with resources.
 */
public final class Lease implements AutoCloseable {
    private final QuorumlockClient client;
    private final Transport transport;
    private final Terms terms;
    private final String name;
    private final Target lock;
    private final String token;
    private final OptionalInt slot;
    private final List<Consumer<? super LeaseLostException>> listeners = new ArrayList<>();
    /** Guards the fields below. It is private so that other code cannot block the timers. */
    private final Object monitor = new Object();
    /** Lets one extension follow another. */
    private final Object extending = new Object();

    private Deadline deadline;
    private Deadline latestEnd; // later than the deadline if extensions without an answer had an effect
    private long fencingToken;
    private String lost; // the reason
    private boolean gone; // whether the service told that the lease is over
    private RefusedException refusal; // of the release, or null
    private Future<?> releaseTask; // null before the release
    private String lastFailure; // of the extensions since the last answer with a lease
    private long keep; // ms, like all numbers of this class
    private int url;
    private int failures;
    private Call extension;
    private Future<?> lossTimer = CompletableFuture.completedFuture(null);
    private Future<?> extensionTimer = lossTimer;

    Lease(QuorumlockClient client, Transport transport, Terms terms, String token, Deadline deadline, Answer answer) {
        this.client = client;
        this.transport = transport;
        this.terms = terms;
        this.name = terms.name();
        this.lock = terms.lock();
        this.keep = terms.keep();
        this.token = token;
        this.url = transport.preferred;
        this.deadline = deadline;
        this.latestEnd = deadline;
        this.fencingToken = answer.fencingToken();
        this.slot = answer.slot();
    }

    void start() {
        client.add(this);
        synchronized (monitor) {
            watch();
            extendInTime();
        }
        if (client.isClosed()) {
            beginRelease();
            awaitRelease(Long.MAX_VALUE);
            client.checkOpen();
        }
    }

    /** Returns whether this is a lease of the name that no other lease can share. */
    boolean isHeldAlone(String name) {
        return terms.names().contains(name) && slot.isEmpty() && isHeld();
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
        return release(Long.MAX_VALUE);
    }

    /**
     * Releases the lease like {@link #release()}, with another time for which nobody gets the lock, and waits for the
     * service for at most {@code timeout}.
     *
     * @throws UnavailableException if the service did not answer by then: the release goes on in the background, and the
     *     TTL ends the lease
     */
    public boolean release(Duration keep) {
        long ms = Checks.notNegative("keep", keep);
        synchronized (monitor) {
            this.keep = ms;
        }
        boolean held = release(transport.timeout);
        synchronized (monitor) {
            if (held && !releaseTask.isDone()) {
                long end = Math.max(0, latestEnd.left()) + ms;
                throw new UnavailableException(
                        name + ": no answer to the release: the lock is free in about " + end + " ms at the latest",
                        null);
            }
        }
        return held;
    }

    private boolean release(long longestWait) {
        beginRelease();
        awaitRelease(longestWait);
        synchronized (monitor) {
            if (refusal != null) {
                throw refusal;
            }
            return lost == null;
        }
    }

    /**
     * Extends the lease now, so that it ends after this time. The service does not shorten leases: other clients wait for
     * the end of a longer one, or its release.
     *
     * @param length more than the margin
     * @return false if the lease was lost or released
     * @throws UnavailableException if no replica with a majority of the masters answered in time; the lease goes on
     * @throws RefusedException if the service rejects the request, for example because of a length over its maximum
     */
    public boolean extend(Duration length) throws InterruptedException {
        long ms = Checks.positive("length", length);
        Checks.require(
                ms > terms.margin(), "length (" + ms + " ms) must be more than margin (" + terms.margin() + " ms)");
        Moment start = Moment.now();
        for (int tries = 0; ; tries++) {
            Answer answer = tryExtend(ms);
            if (!isHeld()) {
                return false;
            } else if (answer.deadline(ms, token) != null) {
                return true;
            } else if (answer.status() >= 400 && answer.status() < 500 && answer.status() != 429) {
                throw answer.refused(name);
            }
            long pause = answer.retryAfter() < 0 ? Transport.backoff(tries) : answer.retryAfter();
            if (start.age() + pause > transport.timeout) {
                throw new UnavailableException(name + ": not extended: " + answer.cause(), answer.failure());
            }
            Thread.sleep(pause);
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

    long untilLoss() {
        return deadline.left() - terms.margin();
    }

    private void watch() {
        synchronized (monitor) {
            lossTimer.cancel(false);
            if (isHeld()) { // the timers stop while the machine is suspended, so wake up each second
                lossTimer = transport.timers.schedule(this::watch, Math.min(untilLoss(), 1000), TimeUnit.MILLISECONDS);
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
        transport.pool.execute(() -> callback.accept(loss));
    }

    private void stop() {
        lossTimer.cancel(false);
        extensionTimer.cancel(false);
        if (extension != null) {
            extension.cancel();
        }
    }

    private void extendInTime() {
        long ttl = terms.ttl();
        long delay = deadline.left() - ttl / 3 * 2 - ThreadLocalRandom.current().nextLong(ttl / 10 + 1);
        // At a limited rate, whatever the service answers, and in time for a long margin.
        extendIn(Math.min(Math.max(delay, untilLoss() / 6), untilLoss() / 2));
    }

    private void extendIn(long delay) {
        if (terms.extended().getAsBoolean()) {
            extensionTimer = transport.timers.schedule(
                    () -> transport.pool.submit(this::extendAndGoOn), delay, TimeUnit.MILLISECONDS);
        }
    }

    private Void extendAndGoOn() throws InterruptedException {
        if (!terms.extended().getAsBoolean()) {
            return null;
        }
        Answer answer = tryExtend(terms.ttl());
        synchronized (monitor) {
            if (!isHeld() || "/problems/extensions-exhausted".equals(answer.text("type"))) { // that is final
                return null;
            } else if (lastFailure == null) {
                failures = 0;
                extendInTime();
            } else {
                long pause = answer.retryAfter() < 0 ? Transport.backoff(failures++) : answer.retryAfter();
                extendIn(Math.min(pause, untilLoss() / 3));
            }
        }
        return null;
    }

    /** Sends an extension to one replica, and applies the answer. Returns null if the lease is not held. */
    private Answer tryExtend(long length) throws InterruptedException {
        synchronized (extending) {
            Call call;
            long limit;
            synchronized (monitor) {
                if (!isHeld()) {
                    return null;
                }
                limit = Math.min(transport.timeout, Math.max(250, untilLoss() / 3));
                call = extension = transport.send(url, "PUT", lock.with("/extend", "ttlMs=" + length), token);
                Deadline possible = new Deadline(call.sent, length + limit);
                latestEnd = possible.left() > latestEnd.left() ? possible : latestEnd;
            }
            Answer answer = call.await(limit);
            synchronized (monitor) {
                if (isHeld()) {
                    apply(answer, length);
                }
            }
            return answer;
        }
    }

    private void apply(Answer answer, long length) {
        Deadline extended = answer.deadline(length, token);
        if (extended != null) {
            deadline = latestEnd = extended;
            fencingToken = Math.max(fencingToken, answer.fencingToken());
            lastFailure = null;
            watch();
        } else if (answer.status() == 404 || answer.status() == 409) {
            gone = true;
            lose("the service did not extend it: " + answer.cause());
        } else {
            lastFailure = answer.cause();
            url = (url + 1) % transport.urls.size();
        }
    }

    /** Ends the extensions and sends the release in the background. Returns whether this call began it. */
    boolean beginRelease() {
        synchronized (monitor) {
            if (releaseTask != null) {
                return false;
            }
            isHeld(); // reports a loss before the release
            stop();
            if (lost != null) {
                latestEnd = new Deadline(Moment.now(), Math.min(transport.timeout, latestEnd.left()));
            }
            releaseTask = transport.pool.submit(this::sendRelease);
            return true;
        }
    }

    void awaitRelease(long longestWait) {
        Future<?> end;
        synchronized (monitor) {
            end = releaseTask;
            longestWait = lost != null ? 0 : Math.min(longestWait, Math.max(250, deadline.left()));
        }
        transport.await(end, longestWait);
    }

    private Void sendRelease() throws InterruptedException {
        String target = lock.with("", keep > 0 && lost == null ? "keepMs=" + keep : "");
        boolean first = true; // whether no earlier request can have released the lease
        for (int tries = 0; !gone; tries++) {
            Call call = transport.send((url + tries) % transport.urls.size(), "DELETE", target, token);
            Answer answer = call.await(Math.min(transport.timeout, Math.max(250, latestEnd.left() / 3)));
            if (List.of(204, 400, 404, 409).contains(answer.status())) {
                synchronized (monitor) {
                    if (answer.status() == 400 && lost == null) {
                        refusal = answer.refused(name);
                    } else if (answer.status() > 400 && first && lost == null) {
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
            Thread.sleep(Math.min(answer.retryAfter() < 0 ? Transport.backoff(tries) : answer.retryAfter(), left / 3));
        }
        client.remove(this);
        return null;
    }
}
