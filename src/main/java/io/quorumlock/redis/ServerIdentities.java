package io.quorumlock.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Knows which server answers behind which node, so that one server never votes twice (R2). */
final class ServerIdentities {
    private final Map<String, String> aliasByRunId = new HashMap<>();
    private final Map<String, String> runIdByAlias = new HashMap<>();

    /** Is how a server was received. */
    record Entry(Optional<String> sameAs, boolean restarted) {}

    /** Notes that the node has no connection; its server may come back behind another node. */
    void leave(String alias) {
        aliasByRunId.remove(runIdByAlias.get(alias), alias);
    }

    /** Enters the server behind a node, unless it stands behind another one already. */
    Entry enter(String alias, String runId) {
        String holder = aliasByRunId.get(runId);
        if (holder != null && !holder.equals(alias)) {
            return new Entry(Optional.of(holder), false);
        }
        String before = runIdByAlias.put(alias, runId);
        if (before != null && !before.equals(runId)) {
            aliasByRunId.remove(before);
        }
        aliasByRunId.put(runId, alias);
        return new Entry(Optional.empty(), before != null && !before.equals(runId));
    }
}
