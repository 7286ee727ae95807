package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.config.QuorumlockConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the README's table of settings with what the service reads. */
class ConfigurationTableTest {
    private static final String NO_DEFAULT = "none";

    /** Is a row without its explanation. */
    private record Setting(String key, String variable, String fallback) {
        static Setting of(List<String> row) {
            return new Setting(row.get(0), row.get(1), row.get(2));
        }
    }

    @Test
    void theTableListsEverySettingWithItsDefaultAndNoOther() {
        String prefix =
                QuorumlockConfig.class.getAnnotation(ConfigMapping.class).prefix();
        assertEquals(
                lines(settings(QuorumlockConfig.class, prefix)),
                lines(Document.readme().rows("quorumlock.").stream().map(Setting::of)));
    }

    @Test
    void everySettingIsExplained() {
        Document.readme().rows("quorumlock.").forEach(row -> assertEquals(4, row.size(), () -> "cells of " + row));
    }

    private static Stream<Setting> settings(Class<?> group, String prefix) {
        return Stream.of(group.getDeclaredMethods()).flatMap(method -> {
            String key = prefix + "." + name(method);
            return method.getReturnType().isInterface() && isGroup(method.getReturnType())
                    ? settings(method.getReturnType(), key)
                    : Stream.of(new Setting(key, variable(key), fallback(method)));
        });
    }

    private static boolean isGroup(Class<?> type) {
        return type.getEnclosingClass() == QuorumlockConfig.class;
    }

    private static String name(Method method) {
        return Optional.ofNullable(method.getAnnotation(WithName.class))
                .map(WithName::value)
                .orElseGet(() -> method.getName()
                        .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
                        .toLowerCase(Locale.ROOT));
    }

    private static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    private static String fallback(Method method) {
        return Optional.ofNullable(method.getAnnotation(WithDefault.class))
                .map(WithDefault::value)
                .orElse(NO_DEFAULT);
    }

    /** One line each, sorted, so that a difference is easy to see. */
    private static String lines(Stream<Setting> settings) {
        return String.join("\n", settings.map(Setting::toString).sorted().toList());
    }
}
