package io.quorumlock.events;

/** Brings what the nodes announce: maybe late, maybe not at all. */
public interface Announcements {

    /** Begins to listen, on the engine's loop, until it is ended. */
    Listening listen(Listener listener);

    /** Hears announcements on the engine's loop. */
    @FunctionalInterface
    interface Listener {
        void heard(int node, Announcement announcement);
    }

    /** Is the time from listening to its end. */
    @FunctionalInterface
    interface Listening {
        void end();
    }
}
