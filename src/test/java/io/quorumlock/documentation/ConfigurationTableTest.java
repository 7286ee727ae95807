package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.documentation.Settings.Setting;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the README's table of settings with what the service reads. */
class ConfigurationTableTest {

    @Test
    void theTableListsEverySettingWithItsDefaultAndNoOther() {
        assertEquals(
                lines(Settings.all()),
                lines(Document.readme().rows("quorumlock.").stream().map(ConfigurationTableTest::documented)));
    }

    @Test
    void everySettingIsExplained() {
        Document.readme().rows("quorumlock.").forEach(row -> assertEquals(4, row.size(), () -> "cells of " + row));
    }

    /** Leaves out the explanation. */
    private static Setting documented(List<String> row) {
        return new Setting(row.get(0), row.get(1), row.get(2));
    }

    /** One line each, sorted, so that a difference is easy to see. */
    private static String lines(Stream<Setting> settings) {
        return String.join("\n", settings.map(Setting::toString).sorted().toList());
    }
}
