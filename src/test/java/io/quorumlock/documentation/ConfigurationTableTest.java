// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.documentation.Settings.Setting;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Comparison of docs/configuration.md with the settings that the service reads. */
class ConfigurationTableTest {
    private static final Document DOCUMENT = Document.docs("configuration.md");

    @Test
    void listsEverySettingWithItsDefault() {
        assertEquals(
                lines(Settings.all()),
                lines(DOCUMENT.rows("quorumlock.").stream().map(ConfigurationTableTest::documented)));
    }

    @Test
    void explainsEverySetting() {
        DOCUMENT.rows("quorumlock.").forEach(row -> assertEquals(4, row.size(), () -> "cells of " + row));
    }

    /** Drops the explanation. */
    private static Setting documented(List<String> row) {
        return new Setting(row.get(0), row.get(1), row.get(2));
    }

    /** Formats one setting per line in order, so that differences are easy to find. */
    private static String lines(Stream<Setting> settings) {
        return String.join("\n", settings.map(Setting::toString).sorted().toList());
    }
}
