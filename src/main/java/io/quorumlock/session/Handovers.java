package io.quorumlock.session;

import io.quorumlock.lock.LockEngine;
import io.quorumlock.session.SessionManager.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * Orders the release of a session that ended and the acquire of a session with the same token, which cannot be told apart on
 * the nodes: the release must not delete the lease that the later session is told of.
 */
final class Handovers {
    private final LockEngine engine;
    private final Executor loop;
    private final Map<Holding, Handover> handovers = new HashMap<>();

    private static final class Handover {
        private int acquiring;
        private boolean releaseDue;
        private boolean releasing;
        private final List<Runnable> waiting = new ArrayList<>();
    }

    Handovers(LockEngine engine, Executor loop) {
        this.engine = engine;
        this.loop = loop;
    }

    /** Lets a session acquire as soon as no release of its token is under way. */
    void acquire(Holding holding, Runnable acquire) {
        Handover handover = handovers.computeIfAbsent(holding, key -> new Handover());
        handover.acquiring++;
        if (handover.releasing) {
            handover.waiting.add(acquire);
        } else {
            acquire.run();
        }
    }

    /** Hears that a session has its lease. If an earlier session held it, it is taken over, and its release is not due. */
    void acquired(Holding holding) {
        handovers.get(holding).releaseDue = false;
        left(holding);
    }

    /** Hears that a session acquires no longer. */
    void left(Holding holding) {
        Handover handover = handovers.get(holding);
        handover.acquiring--;
        if (handover.acquiring == 0 && handover.releaseDue) {
            handover.releaseDue = false;
            release(holding, handover);
        }
        forgetIfSettled(holding, handover);
    }

    /** Releases a lease, unless a session that acquires with its token gets it. */
    void release(Holding holding) {
        Handover handover = handovers.computeIfAbsent(holding, key -> new Handover());
        if (handover.acquiring > 0) {
            handover.releaseDue = true;
        } else {
            release(holding, handover);
        }
    }

    private void release(Holding holding, Handover handover) {
        handover.releasing = true;
        engine.release(holding.resource(), holding.token())
                .whenComplete((outcome, bug) -> loop.execute(() -> released(holding, handover)));
    }

    private void released(Holding holding, Handover handover) {
        handover.releasing = false;
        List<Runnable> next = List.copyOf(handover.waiting);
        handover.waiting.clear();
        next.forEach(Runnable::run);
        forgetIfSettled(holding, handover);
    }

    private void forgetIfSettled(Holding holding, Handover handover) {
        if (handover.acquiring == 0 && !handover.releasing) {
            handovers.remove(holding);
        }
    }
}
