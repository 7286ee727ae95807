package io.quorumlock.faults;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A disturbance of the connections of a proxy for a while, and a count of its effects. */
final class Mischief {
    private final Kind kind;
    private final String command;
    private final Duration delay;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger done = new AtomicInteger();

    enum Kind {
        NONE,
        /** Passes each request on a while later. */
        DELAY,
        /** Keeps requests and passes them all on at the end, also those of connections that were given up. */
        HOLD,
        /** Lets the command take effect, then breaks the connection instead of passing the reply on. */
        DROP_REPLY,
        /** Breaks the connection instead of passing the request on. */
        RESET,
        /** Lets nothing through in either direction, silently. */
        HALF_OPEN,
        SWALLOW_REQUESTS,
        /** Lets commands take effect and no reply through, silently. */
        SWALLOW_REPLIES,
        /** Breaks all connections and takes no new ones. */
        REFUSE,
        /** Answers as a server that has just started. */
        LOADING
    }

    /** @param command the name of the script that is looked for, or "*" */
    Mischief(Kind kind, String command, Duration delay) {
        this.kind = kind;
        this.command = command;
        this.delay = delay;
    }

    static Mischief none() {
        return new Mischief(Kind.NONE, "*", Duration.ZERO);
    }

    /** Returns whether this is done to the command, and counts it. */
    boolean isDone(Kind wanted, String name) {
        boolean hit = kind == wanted && (command.equals("*") || command.equals(name));
        if (hit) {
            done.incrementAndGet();
        }
        return hit;
    }

    Kind kind() {
        return kind;
    }

    void end() {
        over.countDown();
    }

    void awaitDelay() throws InterruptedException {
        over.await(delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    void awaitEnd() throws InterruptedException {
        over.await();
    }

    int count() {
        return done.get();
    }
}
