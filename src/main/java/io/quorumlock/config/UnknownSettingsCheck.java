// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The check for unknown environment variables. Quarkus rejects unknown properties, but not unknown variables. A
 * misspelt variable could leave the service without authentication.
 */
final class UnknownSettingsCheck {
    private static final String PREFIX = "QUORUMLOCK_";
    private static final Pattern INDEX = Pattern.compile("_\\d+_$");
    private static final String TRACING = "OTEL_SDK_DISABLED=false and OTEL_EXPORTER_OTLP_ENDPOINT";
    private static final Map<String, String> REMOVED =
            Map.of("QUORUMLOCK_TRACING_ENDPOINT", TRACING, "QUORUMLOCK_TRACING_RATIO", "OTEL_TRACES_SAMPLER_ARG");
    /** The variables that Kubernetes and Docker set for a service with this name. */
    private static final Pattern ORCHESTRATOR =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP)(_\\w+)?)?)");

    private UnknownSettingsCheck() {}

    static void check(Collection<String> environment) {
        Set<String> known = known();
        for (String name : new TreeSet<>(environment)) {
            boolean ours =
                    name.startsWith(PREFIX) && !ORCHESTRATOR.matcher(name).matches();
            if (REMOVED.containsKey(name)) {
                throw new ConfigurationException(
                        "the environment variable " + name + " was removed: use " + REMOVED.get(name) + " instead");
            }
            if (ours && !known.contains(INDEX.matcher(name).replaceAll(""))) {
                throw new ConfigurationException("unknown environment variable " + name
                        + ": remove it or correct its name. The most similar name is " + nearest(name, known));
            }
        }
    }

    static Set<String> known() {
        return ConfigMappings.getProperties(new ConfigClass(QuorumlockConfig.class, "quorumlock")).keySet().stream()
                .map(key -> key.replaceAll("\\[\\*?]$", ""))
                .map(key -> key.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String nearest(String name, Set<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .orElseThrow();
    }

    /** Returns the Levenshtein distance. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
