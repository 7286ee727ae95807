package io.quorumlock.rest;

import io.quorumlock.events.LockWatch;
import java.time.temporal.ChronoUnit;

/** The body of the event for a gap: a period in which events may be missing. */
record GapBody(String kind, String since, String at) {
    static final String KIND = "gap";

    static GapBody of(LockWatch.Gap gap) {
        return new GapBody(
                KIND,
                gap.since().truncatedTo(ChronoUnit.MILLIS).toString(),
                gap.until().truncatedTo(ChronoUnit.MILLIS).toString());
    }
}
