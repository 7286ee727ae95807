package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;

/** Is one command on its way to a node: queued, written once, and settled once (R8). */
final class Command {

    /** Hears how a command ended. */
    interface Listener {
        void answered(Response response);

        /** @param sent whether it may have reached the node */
        void failed(NodeFailure reason, boolean sent);
    }

    private final Request request;
    private final Listener listener;
    private final MonotonicTime enqueued;
    private boolean written;
    private boolean settled;

    Command(Request request, MonotonicTime enqueued, Listener listener) {
        this.request = request;
        this.enqueued = enqueued;
        this.listener = listener;
    }

    Request write() {
        written = true;
        return request;
    }

    MonotonicTime enqueued() {
        return enqueued;
    }

    boolean isSettled() {
        return settled;
    }

    /** Settles with a reply, unless it is too late. */
    void answer(Response response) {
        if (!settled) {
            settled = true;
            listener.answered(response);
        }
    }

    /** Settles without a reply, unless there was one. */
    void fail(NodeFailure reason) {
        if (!settled) {
            settled = true;
            listener.failed(reason, written);
        }
    }
}
