package io.quorumlock.waiting;

import io.quorumlock.lock.ResourceName;

/** The subscription of one queue to the releases of its resource, while somebody waits. */
final class ReleaseSubscription {
    private final ReleaseSignal signal;
    private final ResourceName resource;
    private final ReleaseSignal.Listener listener;
    private ReleaseSignal.Watch watch;

    ReleaseSubscription(ReleaseSignal signal, ResourceName resource, ReleaseSignal.Listener listener) {
        this.signal = signal;
        this.resource = resource;
        this.listener = listener;
    }

    /** Begins to listen; does nothing if it listens already. */
    void listen() {
        if (watch == null) {
            watch = signal.watch(resource, listener);
        }
    }

    void end() {
        if (watch != null) {
            watch.end();
            watch = null;
        }
    }
}
