// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import java.util.Optional;

/**
 * The layout of the records: their paths and their texts. The root of a store carries its version, so that two versions of the
 * service with different layouts never grant the same locks.
 */
public final class RecordLayout {
    /** Raise it with each change after which an earlier version would not find, or not understand, a record. */
    public static final String VERSION = "1";

    private RecordLayout() {}

    /**
     * Returns why a replica must not use a store with this layout; empty if it may.
     *
     * @param present empty if there are only records
     */
    public static Optional<String> refusal(Optional<String> present) {
        return present.equals(Optional.of(VERSION))
                ? Optional.empty()
                : Optional.of(
                        "the root has records with %s, but this version of the service needs the layout %s: stop all replicas, wait for the longest TTL, and set another root"
                                .formatted(
                                        present.map(layout -> "the layout " + layout)
                                                .orElse("no version of their layout"),
                                        VERSION));
    }
}
