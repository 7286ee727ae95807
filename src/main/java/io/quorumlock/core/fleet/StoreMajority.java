// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.fleet;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/**
 * The store that this replica uses until it ends: the first one to which a majority of the configured servers belongs. The
 * majority of another replica has a server in common with it, so that both use the same store (R1, R2).
 *
 * <p>Thread-safe.
 */
public final class StoreMajority {
    private final int servers;
    private final SortedMap<String, Identity> told = new ConcurrentSkipListMap<>();
    private final CompletableFuture<String> chosen = new CompletableFuture<>();

    /** The ids of a server: that of its store, and its own in it. */
    public record Identity(String store, String server) {}

    /** @param servers number of the configured servers */
    public StoreMajority(int servers) {
        this.servers = servers;
    }

    /** Notes the ids of a server. A server with two addresses counts once, if its own id shows it. */
    public void told(String address, Identity identity) {
        if (!identity.equals(told.put(address, identity)) && !chosen.isDone()) {
            long same = told.values().stream()
                    .distinct()
                    .filter(other -> other.store().equals(identity.store()))
                    .count();
            if (same > servers / 2) {
                chosen.complete(identity.store());
            }
        }
    }

    /** Returns a future with the id of the store of this replica. */
    public CompletableFuture<String> chosen() {
        return chosen.copy();
    }

    /** Returns why a server must not be used, by its last ids; empty if it may, or if they are not known yet. */
    public Optional<String> refusal(String address) {
        return sameServer(address)
                .map(other -> "has the id " + other.getValue().server() + ", as " + other.getKey()
                        + " has: write each server once, and create each store with a token of its own")
                .or(() -> chosen.isDone()
                        ? otherStore(address)
                        : told(address)
                                .filter(own -> told.values().stream()
                                        .anyMatch(other -> !other.store().equals(own.store())))
                                .map(own -> problem()));
    }

    /** Returns why no answer of a server counts: it belongs to another store than this replica uses. */
    public Optional<String> otherStore(String address) {
        return told(address)
                .filter(own -> chosen.isDone() && !own.store().equals(chosen.join()))
                .map(own -> "belongs to the store " + own.store() + ", but this replica uses " + chosen.join());
    }

    private Optional<Map.Entry<String, Identity>> sameServer(String address) {
        return told(address).flatMap(own -> told.headMap(address).entrySet().stream()
                .filter(other -> other.getValue().equals(own))
                .findFirst());
    }

    private Optional<Identity> told(String address) {
        return Optional.ofNullable(told.get(address));
    }

    /** Returns why no store could be chosen yet. */
    public String problem() {
        String known = told.entrySet().stream()
                .map(server -> server.getKey() + " is in " + server.getValue().store())
                .collect(Collectors.joining(", "));
        return "needs %d of %d servers in one store, but %s"
                .formatted(servers / 2 + 1, servers, known.isEmpty() ? "none answered" : known);
    }
}
