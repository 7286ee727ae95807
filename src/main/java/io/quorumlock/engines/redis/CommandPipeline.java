// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.core.loop.Scheduler;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * The command queue of one connection. All commands that are queued in one turn of the event loop are written as one batch, in
 * order: one call of one script, and TIME. Commands that arrive while a batch is in flight form a larger one, which needs less CPU
 * time of Redis. Each command has a deadline. The pipeline ends with its connection; no command is sent again (R8).
 */
public final class CommandPipeline {
    /** Not in the script, because the master would convert its reply twice. */
    private static final Request TIME = Request.cmd(io.vertx.redis.client.Command.TIME);

    private final RedisConnection connection;
    private final LinkSettings settings;
    private final EngineContext engineContext;
    private final StallWatch stalls;
    private final Listener listener;
    /** Commands to write. */
    private final Deque<Command> queue = new ArrayDeque<>();
    /** Commands without a result, ordered by deadline, which is the order of enqueuing. */
    private final Deque<Command> unsettled = new ArrayDeque<>();
    /** When the batch in flight was written; null if there is none. */
    private MonotonicTime written;

    private boolean flushDue;
    private boolean closed;
    private Scheduler.Timer deadline;

    /** The receiver of the results of a batch, before those of its commands. */
    public interface Listener {
        /** @param micros the master's wall clock after the last of the commands */
        void clockRead(MonotonicTime sent, MonotonicTime received, long micros);

        void batchFailed(ServerFailure reason);
    }

    public CommandPipeline(
            RedisConnection connection,
            LinkSettings settings,
            EngineContext engineContext,
            StallWatch stalls,
            Listener listener) {
        this.connection = connection;
        this.settings = settings;
        this.engineContext = engineContext;
        this.stalls = stalls;
        this.listener = listener;
    }

    public void enqueue(Command command) {
        if (queue.size() >= LinkSettings.QUEUE) {
            command.fail(ServerFailure.OVERLOADED);
            return;
        }
        queue.addLast(command);
        unsettled.addLast(command);
        if (deadline == null) {
            watchDeadline(settings.timeout());
        }
        if (!flushDue) {
            flushDue = true;
            engineContext.loop().execute(() -> {
                stalls.ran(command.enqueued());
                flush();
            });
        }
    }

    /** Returns for how long the batch in flight has been unanswered. */
    public Duration silence() {
        return written == null ? Duration.ZERO : engineContext.clock().now().since(written);
    }

    /** Fails all pending commands. */
    public void close(ServerFailure reason) {
        closed = true;
        if (deadline != null) {
            deadline.cancel();
        }
        queue.clear();
        List<Command> open = List.copyOf(unsettled);
        unsettled.clear();
        open.forEach(command -> command.fail(reason));
    }

    private void flush() {
        flushDue = false;
        if (!closed && written == null) {
            List<Command> batch = nextBatch();
            if (!batch.isEmpty()) {
                write(batch);
            }
        }
    }

    private List<Command> nextBatch() {
        List<Command> batch = new ArrayList<>(Math.min(queue.size(), LinkSettings.BATCH));
        while (batch.size() < LinkSettings.BATCH && !queue.isEmpty()) {
            Command command = queue.pollFirst();
            if (!command.isSettled()) {
                batch.add(command);
            }
        }
        return batch;
    }

    private void write(List<Command> batch) {
        MonotonicTime sent = engineContext.clock().now();
        written = sent;
        Request request = Call.batch(batch.stream().map(Command::write).toList());
        // Unlike send, batch tells a reply that is not of Redis from a lost connection.
        connection.batch(List.of(request, TIME)).onComplete(replies -> {
            written = null;
            if (replies.succeeded()) {
                answer(batch, sent, replies.result());
            } else {
                fail(batch, ClientErrors.reason(replies.cause()));
            }
            forgetSettled();
            flush();
        });
    }

    /** Processes the clock reading first, because after a step of the clock none of the votes counts. */
    private void answer(List<Command> batch, MonotonicTime sent, List<Response> responses) {
        List<Response> replies = ScriptReplies.ofBatch(responses.get(0), batch.size());
        OptionalLong micros = ScriptReplies.micros(responses.get(1));
        if (micros.isEmpty() || replies.size() != batch.size()) {
            fail(batch, ServerFailure.GARBAGE);
            return;
        }
        if (!closed) {
            listener.clockRead(sent, engineContext.clock().now(), micros.getAsLong());
        }
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).answer(replies.get(i));
        }
    }

    /** Fails all commands of the batch. The effect of each is unknown. */
    private void fail(List<Command> batch, ServerFailure reason) {
        batch.forEach(command -> command.fail(reason));
        if (!closed) {
            listener.batchFailed(reason);
        }
    }

    private void forgetSettled() {
        while (!unsettled.isEmpty() && unsettled.peekFirst().isSettled()) {
            unsettled.pollFirst();
        }
    }

    private void watchDeadline(Duration delay) {
        MonotonicTime due = engineContext.clock().now().plus(delay);
        deadline = engineContext.scheduler().after(delay, () -> onDeadline(due));
    }

    /** Reads replies in the socket buffer first if this process was paused. */
    private void onDeadline(MonotonicTime due) {
        stalls.ran(due);
        boolean paused = engineContext.clock().now().since(due).compareTo(LinkSettings.PAUSED) > 0;
        if (paused) {
            deadline = engineContext.scheduler().after(LinkSettings.READ_DELAY, this::failOverdue);
        } else {
            failOverdue();
        }
    }

    private void failOverdue() {
        deadline = null;
        MonotonicTime now = engineContext.clock().now();
        while (!unsettled.isEmpty()) {
            Command oldest = unsettled.peekFirst();
            Duration left = settings.timeout().minus(now.since(oldest.enqueued()));
            if (!oldest.isSettled() && !left.isNegative() && !left.isZero()) {
                watchDeadline(left);
                return;
            }
            unsettled.pollFirst();
            if (queue.peekFirst() == oldest) {
                // Otherwise it would stay in the queue while the master is silent.
                queue.pollFirst();
            }
            oldest.fail(ServerFailure.TIMEOUT);
        }
    }
}
