// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.quarkus.runtime.configuration.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The mistakes in settings. Each is a line: {@code VARIABLE=value: what is wrong; what to write}. */
public final class Mistakes {
    private final List<String> lines = new ArrayList<>();

    public void add(String line) {
        lines.add(line);
    }

    /** @param key without the prefix of all settings */
    public void refuse(String key, Object value, String why) {
        add(variable("quorumlock." + key) + "=" + shown(value) + ": " + why);
    }

    /** Refuses a number that is out of range. */
    public <T extends Comparable<T>> void checkRange(String key, T found, T least, T most) {
        checkLeast(key, found, least);
        checkMost(key, found, most);
    }

    public <T extends Comparable<T>> void checkLeast(String key, T found, T least) {
        if (found.compareTo(least) < 0) {
            String what = found instanceof Duration ? "short" : "small";
            refuse(key, found, "too %s; write at least %s".formatted(what, shown(least)));
        }
    }

    <T extends Comparable<T>> void checkMost(String key, T found, T most) {
        if (found.compareTo(most) > 0) {
            String what = found instanceof Duration ? "long" : "large";
            refuse(key, found, "too %s; write at most %s".formatted(what, shown(most)));
        }
    }

    /**
     * Refuses a limit of extensions beside a feature that extends leases by itself.
     *
     * @param variable that switches the feature on
     * @param why what it does
     */
    public void refuseLimitOfExtensions(QuorumlockConfig service, String variable, String why) {
        if (service.extensions().max().isPresent()) {
            add("QUORUMLOCK_EXTENSIONS_MAX: not possible with %s, which %s; remove one of them"
                    .formatted(variable, why));
        }
    }

    /** Refuses a file that does not exist. */
    public void checkFile(String key, Optional<Path> path) {
        path.filter(Files::notExists)
                .ifPresent(file -> refuse(key, file, "no such file; write the path of a PEM file"));
    }

    /**
     * Refuses a file that does not exist, or that has no effect without TLS.
     *
     * @param why what is wrong without TLS, and what to write
     */
    public void checkFileOfTls(String key, Optional<Path> path, boolean usesTls, String why) {
        checkFile(key, path);
        path.filter(file -> Files.exists(file) && !usesTls).ifPresent(file -> refuse(key, file, why));
    }

    /** Refuses a setting that has no effect without another one. Its value may be a password. */
    public void checkNeeds(String key, Optional<?> value, String other, Optional<?> otherValue) {
        value.filter(set -> otherValue.isEmpty())
                .ifPresent(set -> add("%s: no effect without %2$s; write %2$s, or remove it"
                        .formatted(variable("quorumlock." + key), variable("quorumlock." + other))));
    }

    /** @throws ConfigurationException with all mistakes, if there are some */
    public void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new ConfigurationException(String.join("\n", lines));
        }
    }

    /** Returns the environment variable of a key. */
    public static String variable(String key) {
        return key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    /** Returns a duration in the largest unit in which it is whole, other values as text. */
    public static String shown(Object value) {
        if (!(value instanceof Duration duration)) {
            return value.toString();
        }
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1000 != 0) {
            return millis + "ms";
        }
        if (millis % 60_000 != 0) {
            return millis / 1000 + "s";
        }
        return millis % 3_600_000 != 0 ? millis / 60_000 + "m" : millis / 3_600_000 + "h";
    }
}
