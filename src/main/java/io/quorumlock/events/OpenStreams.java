package io.quorumlock.events;

/** The open event streams of this replica. */
public interface OpenStreams {
    int open();

    /** Returns how many streams were closed because their clients read too slowly. */
    long cut();

    /** Ends all streams, and rejects new ones. */
    void end();
}
