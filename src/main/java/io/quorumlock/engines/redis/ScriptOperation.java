// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import java.util.List;
import java.util.Locale;

/** An operation of the batch script. The header comment of its first file defines its keys, arguments and replies. */
public enum ScriptOperation {
    ACQUIRE("grant", "acquire"),
    JOIN("join", "grant", "join-any"),
    EXTEND("extend"),
    RAISE("raise"),
    RESTORE("restore"),
    RELEASE("release"),
    INSPECT("inspect"),
    SCAN("scan"),
    LISTENERS("listeners");

    private final List<String> files;
    private final String command = name().toLowerCase(Locale.ROOT);

    ScriptOperation(String... files) {
        this.files = List.of(files);
    }

    /** Returns the files of its function, which follow each other. The last ones are reached by rare cases only. */
    List<String> files() {
        return files;
    }

    /** Returns the name in the script and in metrics. */
    public String command() {
        return command;
    }
}
