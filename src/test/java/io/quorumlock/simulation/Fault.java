package io.quorumlock.simulation;

/** Is what goes wrong. */
enum Fault {
    MASTER_CRASHES,
    MASTER_FORGETS,
    MASTER_HANGS,
    MASTER_IS_SLOW,
    CUT_TO_MASTER,
    CUT_FROM_MASTER,
    CUT,
    CONNECTION_BREAKS,
    ANSWER_LOST,
    REPLICA_CRASHES,
    REPLICA_PAUSES
}
