// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import io.quorumlock.testing.KeysText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Keys with different rights for tests of the operator's page. */
public final class PageKeys {
    static final String OPERATOR = "operator-" + "o".repeat(40);
    static final String READER = "reader-" + "r".repeat(40);
    /** Has all rights on one prefix only. */
    static final String LIMITED = "limited-" + "l".repeat(40);

    /** May not watch events. */
    static final String WATCHLESS = "watchless-" + "w".repeat(40);

    private PageKeys() {}

    /** Writes the file, with or without the key of the operator. */
    static void write(Path file, boolean withOperator) {
        String reader = KeysText.key("reader", READER, ":read list events acquire");
        String limited = KeysText.key("limited", LIMITED, "limited/:read list events acquire release force");
        String watchless = KeysText.key("watchless", WATCHLESS, ":read list acquire");
        String text = withOperator
                ? KeysText.file(
                        KeysText.key("operator", OPERATOR, ":read list events force"), reader, limited, watchless)
                : KeysText.file(reader, limited, watchless);
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
