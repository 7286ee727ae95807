// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import io.quorumlock.app.Features;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The settings of the service, read from its configuration interfaces. */
public final class Settings {
    private static final String NO_DEFAULT = "none";

    private Settings() {}

    /** A setting with its default as written. */
    record Setting(String key, String variable, String fallback) {}

    /** Returns the names of all environment variables that the service reads. */
    public static Set<String> variables() {
        return all().map(Setting::variable).collect(Collectors.toSet());
    }

    static Stream<Setting> all() {
        return Features.mappings().stream()
                .flatMap(type ->
                        settings(type, type.getAnnotation(ConfigMapping.class).prefix()));
    }

    private static Stream<Setting> settings(Class<?> group, String prefix) {
        return Stream.of(group.getDeclaredMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .flatMap(method -> {
                    String key = prefix + "." + name(method);
                    return method.getReturnType().isInterface() && isGroup(method.getReturnType())
                            ? settings(method.getReturnType(), key)
                            : Stream.of(new Setting(key, variable(key), fallback(method)));
                });
    }

    private static boolean isGroup(Class<?> type) {
        return type.getPackage() == QuorumlockConfig.class.getPackage();
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
}
