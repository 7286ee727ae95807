// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A fault of the connections of a proxy, with a count of its effects. */
final class ConnectionFault {
    private final Kind kind;
    private final String command;
    private final Duration delay;
    private final CountDownLatch over = new CountDownLatch(1);
    private final AtomicInteger done = new AtomicInteger();

    enum Kind {
        NONE,
        /** Delays each request. */
        DELAY,
        /** Holds requests and forwards them at the end, including those of closed connections. */
        HOLD,
        /** Forwards the command, then breaks the connection instead of forwarding the reply. */
        DROP_REPLY,
        /** Breaks the connection instead of forwarding the request. */
        RESET,
        /** Forwards nothing in either direction and keeps the connection open. */
        HALF_OPEN,
        SWALLOW_REQUESTS,
        /** Forwards commands but no replies, and keeps the connection open. */
        SWALLOW_REPLIES,
        /** Breaks all connections and accepts no new ones. */
        REFUSE,
        /** Replies like a server that is loading its data. */
        LOADING
    }

    /** @param command name of the affected script, or "*" for all commands */
    ConnectionFault(Kind kind, String command, Duration delay) {
        this.kind = kind;
        this.command = command;
        this.delay = delay;
    }

    static ConnectionFault none() {
        return new ConnectionFault(Kind.NONE, "*", Duration.ZERO);
    }

    /** Returns whether the fault affects a command with these operations, and counts it. */
    boolean affects(Kind wanted, Set<String> names) {
        boolean affected = kind == wanted && (command.equals("*") || names.contains(command));
        if (affected) {
            done.incrementAndGet();
        }
        return affected;
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
