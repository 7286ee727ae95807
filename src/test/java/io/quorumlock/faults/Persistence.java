// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.util.List;

/** The acknowledged data that survive a crash of a master. */
enum Persistence {
    ALWAYS("yes", "always"),
    EVERY_SECOND("yes", "everysec"),
    NONE("no", "no");

    private final String appends;
    private final String synced;

    Persistence(String appends, String synced) {
        this.appends = appends;
        this.synced = synced;
    }

    String[] options() {
        return List.of(
                        "--appendonly",
                        appends,
                        "--appendfsync",
                        synced,
                        "--maxmemory-policy",
                        "noeviction",
                        // A log of many minutes takes too long to load. The percentage counts from the size at the
                        // start, so
                        // with the default of 100 a server that is often restarted would never rewrite a large log.
                        "--auto-aof-rewrite-min-size",
                        "4mb",
                        "--auto-aof-rewrite-percentage",
                        "10")
                .toArray(String[]::new);
    }
}
