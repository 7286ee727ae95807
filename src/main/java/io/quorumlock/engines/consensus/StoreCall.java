// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.Scheduler;
import java.time.Duration;
import java.util.function.Consumer;

/** A call to a store that is answered once, on the event loop: with its reply, or without one after a timeout. */
public final class StoreCall {
    private final EngineContext engineContext;
    private final Consumer<StoreReply> reply;
    private final Scheduler.Timer timer;
    private Effect ifLost;
    private boolean ended;

    /** @param ifLost the effect that the call may have if there is no reply */
    public StoreCall(Duration timeout, Effect ifLost, EngineContext engineContext, Consumer<StoreReply> reply) {
        this.engineContext = engineContext;
        this.reply = reply;
        this.ifLost = ifLost;
        this.timer = engineContext.scheduler().after(timeout, () -> endOnce(new StoreReply.Failed(this.ifLost)));
    }

    /** Returns whether a call that waited is still wanted. It is sent then, and may have another effect from now on. */
    public boolean send(Effect effectIfLost) {
        ifLost = effectIfLost;
        return !ended;
    }

    /** Ends the call with its reply. May be called from any thread. */
    public void end(StoreReply result) {
        engineContext.loop().execute(() -> endOnce(result));
    }

    /** Ends the call at once, on the event loop. */
    void endOnce(StoreReply result) {
        if (!ended) {
            ended = true;
            timer.cancel();
            reply.accept(result);
        }
    }
}
