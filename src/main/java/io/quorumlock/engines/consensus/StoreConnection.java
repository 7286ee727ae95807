// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.fleet.PolledServer;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A store with its connection. Its calls are measured as commands to a master with the name "store". The public methods declared
 * here may be called from any thread.
 */
public abstract class StoreConnection implements RecordStore {
    protected static final String READ = "read";
    protected static final String COMMIT = "commit";
    private static final String ALIAS = "store";

    private final Duration timeout;
    private final EngineContext engineContext;
    private final ServerListener listener;
    private final CompletableFuture<Void> firstReady = new CompletableFuture<>();
    private volatile boolean ready;
    private volatile Optional<String> problem = Optional.empty();

    /** @param timeout of a call */
    protected StoreConnection(Duration timeout, EngineContext engineContext, ServerListener listener) {
        this.timeout = timeout;
        this.engineContext = engineContext;
        this.listener = listener;
        listener.expects(ALIAS, List.of(READ, COMMIT));
    }

    /** Returns the servers of the store. */
    public abstract List<? extends PolledServer> members();

    /** Ends the connection. */
    public abstract CompletableFuture<Void> close();

    /** Returns a future that completes when the store can be used for the first time. */
    public final CompletableFuture<Void> firstReady() {
        return firstReady;
    }

    /** Returns whether the store can be used. */
    public final boolean isReady() {
        return ready;
    }

    /** Returns what is wrong with the store, for people; empty if it can be used, or did not answer yet. */
    public final Optional<String> problem() {
        return problem;
    }

    /** Marks the store as usable. */
    protected final void up() {
        ready = true;
        problem = Optional.empty();
        firstReady.complete(null);
    }

    /** Marks the store as not usable, and returns whether it was usable. */
    protected final boolean down() {
        boolean before = ready;
        ready = false;
        return before;
    }

    /** Sets the problem, and returns whether it changed. */
    protected final boolean setProblem(String reason) {
        Optional<String> before = problem;
        problem = Optional.ofNullable(reason);
        return !before.equals(problem);
    }

    /**
     * Sends a call that is answered once: with its reply, or without one after the timeout.
     *
     * @param ifLost the effect that the call may have if there is no reply
     */
    protected final void call(String name, Effect ifLost, Consumer<StoreReply> reply, Consumer<StoreCall> send) {
        MonotonicTime sent = engineContext.clock().now();
        Consumer<StoreReply> measured = result -> {
            if (result instanceof StoreReply.Failed failed) {
                listener.failed(ALIAS, failed.reason());
            } else {
                listener.answered(ALIAS, name, engineContext.clock().now().since(sent));
            }
            reply.accept(result);
        };
        if (ready) {
            send.accept(new StoreCall(timeout, ifLost, engineContext, measured));
        } else {
            measured.accept(StoreReply.Failed.NOT_CONNECTED);
        }
    }
}
