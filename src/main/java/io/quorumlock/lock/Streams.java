package io.quorumlock.lock;

/** Is all streams of events that this replica writes. */
public interface Streams {
    int open();

    /** Counts those that were ended because their readers were too slow. */
    long cut();

    /** Ends all of them, and lets none begin any more. */
    void end();
}
