package io.quorumlock.events;

import io.quorumlock.time.MonotonicTime;

/** Brings what the nodes announce: maybe late, maybe not at all. */
public interface Announcements {

    /** Begins to listen, on the engine's loop, until it is ended. */
    Listening listen(Listener listener);

    /** Hears announcements on the engine's loop. */
    interface Listener {
        void heard(int node, Announcement announcement);

        /** Hears that from now on a node is listened to (again). */
        void begins(int node);

        /**
         * Hears that a node is not listened to any more.
         *
         * @param since when it last gave a sign of life: what it announced after that is lost
         */
        void breaksOff(int node, MonotonicTime since);
    }

    /** Is the time from listening to its end. */
    @FunctionalInterface
    interface Listening {
        void end();
    }
}
