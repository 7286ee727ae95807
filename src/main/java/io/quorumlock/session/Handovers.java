// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.session;

import io.quorumlock.lock.LockEngine;
import io.quorumlock.session.SessionManager.Key;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The order of the release by an ended session and the acquire by a new session with the same token. The nodes cannot
 * distinguish the two leases, so the release must not delete the lease of the new session.
 */
final class Handovers {
    private final LockEngine engine;
    private final Executor loop;
    private final Map<Key, Pending> pendingByKey = new HashMap<>();

    private static final class Pending {
        private int acquiring;
        private boolean releaseDue;
        private boolean releasing;
        private final List<Runnable> waiting = new ArrayList<>();
    }

    Handovers(LockEngine engine, Executor loop) {
        this.engine = engine;
        this.loop = loop;
    }

    /** Runs an acquire as soon as no release of the same token is in progress. */
    void acquire(Key key, Runnable acquire) {
        Pending pending = pendingByKey.computeIfAbsent(key, any -> new Pending());
        pending.acquiring++;
        if (pending.releasing) {
            pending.waiting.add(acquire);
        } else {
            acquire.run();
        }
    }

    /** Notes that a session has its lease. A pending release of an earlier session with the same token is dropped. */
    void acquired(Key key) {
        pendingByKey.get(key).releaseDue = false;
        abandoned(key);
    }

    /** Notes that a session stopped acquiring without a lease. */
    void abandoned(Key key) {
        Pending pending = pendingByKey.get(key);
        pending.acquiring--;
        if (pending.acquiring == 0 && pending.releaseDue) {
            pending.releaseDue = false;
            release(key, pending);
        }
        forgetIfSettled(key, pending);
    }

    /** Releases a lease, unless a session that acquires with the same token gets the lease. */
    void release(Key key) {
        Pending pending = pendingByKey.computeIfAbsent(key, any -> new Pending());
        if (pending.acquiring > 0) {
            pending.releaseDue = true;
        } else {
            release(key, pending);
        }
    }

    private void release(Key key, Pending pending) {
        pending.releasing = true;
        engine.release(key.resource(), key.token())
                .whenComplete((outcome, bug) -> loop.execute(() -> released(key, pending)));
    }

    private void released(Key key, Pending pending) {
        pending.releasing = false;
        List<Runnable> next = List.copyOf(pending.waiting);
        pending.waiting.clear();
        next.forEach(Runnable::run);
        forgetIfSettled(key, pending);
    }

    private void forgetIfSettled(Key key, Pending pending) {
        if (pending.acquiring == 0 && !pending.releasing) {
            pendingByKey.remove(key);
        }
    }
}
