// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.config;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
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
    /** The variables that Kubernetes and Docker set for a service with this name. */
    private static final Pattern ORCHESTRATOR =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP)(_\\w+)?)?)");

    private UnknownSettingsCheck() {}

    static void check(Collection<String> environment) {
        Set<String> known = known();
        for (String name : new TreeSet<>(environment)) {
            boolean ours =
                    name.startsWith(PREFIX) && !ORCHESTRATOR.matcher(name).matches();
            if (ours && !known.contains(INDEX.matcher(name).replaceAll(""))) {
                throw new ConfigurationException("unknown environment variable " + name
                        + ": remove it or correct its name. docs/configuration.md lists all names");
            }
        }
    }

    static Set<String> known() {
        return ConfigMappings.getProperties(new ConfigClass(QuorumlockConfig.class, "quorumlock")).keySet().stream()
                .map(key -> key.replaceAll("\\[\\*?]$", ""))
                .map(StartErrors::variable)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
