// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

/** The settings of a master that keeps every acknowledged write. */
final class Persistence {
    private Persistence() {}

    static String[] options() {
        return new String[] {
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--maxmemory-policy",
            "noeviction",
            // A log of many minutes takes too long to load. The percentage counts from the size at the start, so with
            // the
            // default of 100 a server that is often restarted would never rewrite a large log.
            "--auto-aof-rewrite-min-size",
            "4mb",
            "--auto-aof-rewrite-percentage",
            "10"
        };
    }
}
