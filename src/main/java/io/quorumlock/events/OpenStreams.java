package io.quorumlock.events;

/** Is all streams of events that this replica writes. */
public interface OpenStreams {
    int open();

    /** Counts those that were ended because their readers were too slow. */
    long cut();

    /** Ends all of them, and lets none begin any more. */
    void end();
}
