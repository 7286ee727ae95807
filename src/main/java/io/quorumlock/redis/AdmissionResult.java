package io.quorumlock.redis;

import java.time.Duration;

/** Is what the restart guard says of a node (R9). */
sealed interface AdmissionResult {

    /** Says that it may vote once {@code quarantine} is over, which may be zero. */
    record Admitted(Duration quarantine, NodeHistory past) implements AdmissionResult {}

    /** Says that it has no past: it may vote at once only if that is true of all configured nodes. */
    record New() implements AdmissionResult {}

    /** Says that it can be no node of this fleet. */
    record Refused(String why) implements AdmissionResult {}

    /** Says that the node could not tell; what was decided before holds. */
    record Unknown() implements AdmissionResult {}
}
