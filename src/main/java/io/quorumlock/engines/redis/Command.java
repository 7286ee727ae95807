// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.loop.MonotonicTime;
import io.vertx.redis.client.Response;

/** One command to a master: queued, written once, and settled once (R8). */
public final class Command {

    /** The receiver of a command's result. */
    public interface Listener {
        void answered(Response response);

        /** @param sent whether the command may have reached the master */
        void failed(ServerFailure reason, boolean sent);
    }

    private final Call call;
    private final Listener listener;
    private final MonotonicTime enqueued;
    private boolean written;
    private boolean settled;

    public Command(Call call, MonotonicTime enqueued, Listener listener) {
        this.call = call;
        this.enqueued = enqueued;
        this.listener = listener;
    }

    Call write() {
        written = true;
        return call;
    }

    MonotonicTime enqueued() {
        return enqueued;
    }

    boolean isSettled() {
        return settled;
    }

    /** Settles the command with a reply, unless it is settled. */
    void answer(Response response) {
        if (!settled) {
            settled = true;
            listener.answered(response);
        }
    }

    /** Settles the command as failed, unless it is settled. */
    public void fail(ServerFailure reason) {
        if (!settled) {
            settled = true;
            listener.failed(reason, written);
        }
    }
}
