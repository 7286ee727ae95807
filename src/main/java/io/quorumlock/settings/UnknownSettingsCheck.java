// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The check for unknown environment variables. Quarkus rejects unknown properties, but not unknown variables. A
 * misspelt variable could leave the service without authentication.
 */
public final class UnknownSettingsCheck {
    private static final String PREFIX = "QUORUMLOCK_";
    /** The number of letters after the prefix in which a similar name must be equal. */
    private static final int SIMILAR = 3;

    private static final Pattern INDEX = Pattern.compile("_\\d+_$");
    /** The variables that Kubernetes and Docker set for a service with this name. */
    private static final Pattern ORCHESTRATOR =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP)(_\\w+)?)?)");

    private UnknownSettingsCheck() {}

    static void check(Collection<String> environment) {
        Mistakes.refuse(problems(environment).toList());
    }

    /** Returns a message for each unknown variable. */
    public static Stream<String> problems(Collection<String> environment) {
        Set<String> known = known();
        return environment.stream()
                .filter(name -> name.startsWith(PREFIX)
                        && !ORCHESTRATOR.matcher(name).matches()
                        && !known.contains(INDEX.matcher(name).replaceAll("")))
                .sorted()
                .map(name -> problem(name, known));
    }

    /** Returns the message about an unknown property. */
    public static String problem(String key) {
        return problem(key, keys());
    }

    /** Returns the message, without the value, which may be a password. */
    private static String problem(String name, Set<String> known) {
        List<String> similar = similar(name, known);
        return name + ": unknown; write "
                + (similar.isEmpty() ? "" : String.join(" or ", similar) + ", or ")
                + "a name of docs/configuration.md";
    }

    /** Returns the known name with the same letters, else those that begin alike for longest. */
    private static List<String> similar(String name, Set<String> known) {
        List<String> same = known.stream()
                .filter(other -> letters(other).equals(letters(name)))
                .toList();
        int longest = known.stream().mapToInt(other -> alike(name, other)).max().orElse(0);
        return !same.isEmpty() || longest < PREFIX.length() + SIMILAR
                ? same
                : known.stream().filter(other -> alike(name, other) == longest).toList();
    }

    private static String letters(String name) {
        return name.replaceAll("[^A-Za-z]", "");
    }

    /** Returns the length of the common beginning. */
    private static int alike(String one, String other) {
        int length = 0;
        while (length < Math.min(one.length(), other.length()) && one.charAt(length) == other.charAt(length)) {
            length++;
        }
        return length;
    }

    /** Returns the variables of all settings. */
    static Set<String> known() {
        return keys().stream().map(Mistakes::variable).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> keys() {
        return ConfigMappings.getProperties(new ConfigClass(QuorumlockConfig.class, "quorumlock")).keySet().stream()
                .map(key -> key.replaceAll("\\[\\*?]$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
