// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The registry of the server process behind each master, which prevents that one server votes twice (R2). */
final class ServerIdentities {
    private final Map<String, String> aliasByRunId = new HashMap<>();
    private final Map<String, String> runIdByAlias = new HashMap<>();
    private final Set<String> claimed = new HashSet<>();

    /** The result of registering a server. */
    record Entry(Optional<String> sameAs, boolean restarted) {}

    /** Notes that the master has no connection. Its server may reconnect as another master. */
    void leave(String alias) {
        aliasByRunId.remove(runIdByAlias.get(alias), alias);
    }

    /** Registers the server of a master, unless it is the server of another master. */
    Entry enter(String alias, String runId) {
        String holder = aliasByRunId.get(runId);
        if (holder != null && !holder.equals(alias)) {
            claimed.add(holder);
            return new Entry(Optional.of(holder), false);
        }
        claimed.remove(alias);
        String before = runIdByAlias.put(alias, runId);
        if (before != null && !before.equals(runId)) {
            aliasByRunId.remove(before, alias);
        }
        aliasByRunId.put(runId, alias);
        return new Entry(Optional.empty(), before != null && !before.equals(runId));
    }

    /** Returns whether another master was refused because it is the server of this master. */
    boolean isClaimed(String alias) {
        return claimed.contains(alias);
    }
}
