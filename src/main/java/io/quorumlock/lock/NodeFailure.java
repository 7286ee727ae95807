package io.quorumlock.lock;

import java.util.List;

/** Names why a node gave no vote. */
public enum NodeFailure {
    /** No connection. */
    DISCONNECTED,
    /** Connected, and silent beyond the node time-out. */
    TIMEOUT,
    /** Our own queue for the node is full. */
    OVERLOADED,
    /** Not fit to vote: a replica, a cluster node, or the same server twice (R2). */
    REFUSED,
    /** The credentials are wrong, or may not do what is needed. */
    NOAUTH,
    /** It may have forgotten votes, and gives none until that can do no harm (R9). */
    QUARANTINED,
    /** Redis reads its data from disk. */
    LOADING,
    /** Redis is out of memory. */
    OOM,
    /** Redis takes no writes: a replica. */
    READONLY,
    /** Redis takes no writes: it cannot persist. */
    MISCONF,
    /** A script of somebody's blocks Redis. */
    BUSY,
    /** Redis forgot our scripts; they are loaded again. */
    NOSCRIPT,
    /** Our key holds something that no lock service wrote. */
    WRONGTYPE,
    /** The counter of fencing tokens that the resource uses has reached the largest token (R10). */
    FENCE_FULL,
    /** An answer that is not Redis' protocol or not our scripts'. */
    GARBAGE,
    /** Any other error of Redis. */
    ERROR;

    /** The last is how Redis 6.2 says it of a command in a script. */
    private static final List<String> NOT_ALLOWED = List.of("NOPERM", "WRONGPASS", "The user executing the script");

    /** Classifies an error reply of Redis by the word that it begins with. */
    public static NodeFailure ofError(String error) {
        for (NodeFailure failure : values()) {
            if (error.contains(failure.name()) && failure != ERROR) {
                return failure;
            }
        }
        return NOT_ALLOWED.stream().anyMatch(error::contains) ? NOAUTH : ERROR;
    }
}
