// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.util.Locale;

/** The reason why a server takes no part: why a master gives no vote, or why a store does not answer. */
public enum ServerFailure {
    /** Not yet admitted: the connection or a majority of the masters is missing. */
    PENDING,
    /** No connection. */
    DISCONNECTED,
    /** No answer within the timeout of a command. */
    TIMEOUT,
    /** The answers take longer than the timeout of a command. */
    SLOW,
    /** This replica's command queue for the master is full. */
    OVERLOADED,
    /**
     * Not an independent master: a replica, a node of Redis Cluster, the same server twice, in use with another list of masters
     * (R2), or without the persistence that the settings promise. A server of another store than the others.
     */
    REFUSED,
    /** The credentials are wrong or lack a permission. */
    NOAUTH,
    /** The master may have lost votes and is quarantined until every lost lease has ended (R9). */
    QUARANTINED,
    /** Redis is loading its data from disk, or the server of a store copies those of the others. */
    LOADING,
    /** Redis is out of memory. */
    OOM,
    /** Redis rejects writes because it is a replica. */
    READONLY,
    /** Redis rejects writes because it cannot persist them. */
    MISCONF,
    /** A script of another client blocks Redis. */
    BUSY,
    /** The scripts are not in the cache of Redis; they are loaded again. */
    NOSCRIPT,
    /** The key holds a value of another Redis type, written by another program. */
    WRONGTYPE,
    /** The counter of fencing tokens reached its maximum (R10). */
    FENCE_FULL,
    /** The server of a store has no contact to a leader. */
    NO_LEADER,
    /** The answer does not conform to the Redis protocol or to the scripts. */
    GARBAGE,
    /** Any other error reply of Redis. */
    ERROR;

    /** Returns the name in the API, in health checks, metrics and traces. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
