package io.quorumlock.faults;

/** Says that a writer wrote all that it had: so many lines before this one. */
record HistoryEnd(String process, long lines) implements HistoryLine {}
