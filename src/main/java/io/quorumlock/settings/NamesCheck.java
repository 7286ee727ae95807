// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.settings;

import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigMappings.ConfigClass;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.Config;

/**
 * The check for names of settings that have no effect: unknown ones, those of another engine, and empty ones of security. A misspelt
 * variable could leave the service without authentication. Quarkus rejects unknown properties, but not unknown variables.
 */
public final class NamesCheck {
    private static final String PREFIX = "QUORUMLOCK_";
    /** The number of letters after the prefix in which a similar name must be equal. */
    private static final int SIMILAR = 3;

    /** The ordinal of the source with the defaults of this program. All sources of operators have larger ones. */
    private static final int DEFAULTS = 250;

    /** The settings of security, which are off without a value. */
    private static final Pattern OFF_IF_EMPTY = Pattern.compile(".*[.-](user|password|file)");

    /** The variables that only clients read. A shell that has them may start a service, too. */
    private static final Set<String> OF_CLIENTS = Set.of(PREFIX + "URL", PREFIX + "KEY", PREFIX + "KEY_FILE");

    private static final Pattern INDEX = Pattern.compile("_\\d+_$");
    /** The variables that Kubernetes and Docker set for a service with this name. */
    private static final Pattern ORCHESTRATOR =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT(_\\d+_(TCP|UDP)(_\\w+)?)?)");

    /** The keys of all settings, without the index of lists. */
    private final Set<String> keys;

    /** @param mappings the types of all settings */
    public NamesCheck(List<Class<?>> mappings) {
        keys = mappings.stream()
                .flatMap(type -> ConfigMappings.getProperties(ConfigClass.configClass(type)).keySet().stream())
                .map(key -> key.replaceAll("\\[\\*?]$", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Refuses each setting of another engine: either it or the engine is a mistake. An empty value counts as none. */
    public void checkEngine(EngineKind engine, Config all, Mistakes mistakes) {
        String advice = engine == EngineKind.ZOOKEEPER && !isSet("quorumlock.engine", all)
                ? "%s: not possible with QUORUMLOCK_CLUSTER_DATA; remove one of them"
                : "%s: not used with QUORUMLOCK_ENGINE=%s; remove it, or write QUORUMLOCK_ENGINE=%s";
        for (String key : keys) {
            engine.otherWith(key.substring(PREFIX.length()))
                    .filter(other -> isSet(key, all))
                    .ifPresent(other -> mistakes.add(advice.formatted(Mistakes.variable(key), engine, other)));
        }
    }

    /** Refuses an empty value of a setting of security, for example an unset variable in a template. */
    public void checkEmpty(EngineKind engine, Config all, Mistakes mistakes) {
        keys.stream()
                .filter(key -> OFF_IF_EMPTY.matcher(key).matches()
                        && engine.otherWith(key.substring(PREFIX.length())).isEmpty()
                        && values(key, all).anyMatch(String::isEmpty))
                .forEach(key ->
                        mistakes.add(Mistakes.variable(key) + "=: empty; write a value, or remove the variable"));
    }

    private static boolean isSet(String key, Config all) {
        return values(key, all).anyMatch(value -> !value.isEmpty());
    }

    private static Stream<String> values(String key, Config all) {
        return Stream.of(key, key + "[0]")
                .map(all::getConfigValue)
                .filter(value -> value.getSourceOrdinal() > DEFAULTS)
                .filter(value -> value.getRawValue() != null)
                // Of an expression, such as ${VARIABLE:}, the value may be missing.
                .map(value -> Objects.requireNonNullElse(value.getValue(), ""));
    }

    /** Returns a message for each unknown variable. */
    public Stream<String> unknown(Collection<String> environment) {
        Set<String> known = known();
        return environment.stream()
                .filter(name -> name.startsWith(PREFIX)
                        && !ORCHESTRATOR.matcher(name).matches()
                        && !OF_CLIENTS.contains(name)
                        && !known.contains(INDEX.matcher(name).replaceAll("")))
                .sorted()
                .map(name -> unknown(name, known));
    }

    /** Returns a warning for each variable of clients, which has no effect on the service. */
    public static Stream<String> ofClients(Collection<String> environment) {
        return environment.stream()
                .filter(OF_CLIENTS::contains)
                .sorted()
                .map(name -> name + ": read by clients only, without effect on the service");
    }

    /** Returns the message about an unknown property. */
    String unknown(String key) {
        return unknown(key, keys);
    }

    /** Returns the message, without the value, which may be a password. */
    private static String unknown(String name, Set<String> known) {
        List<String> similar = similar(name, known);
        return name + ": unknown; " + (similar.isEmpty() ? "" : "write " + String.join(" or ", similar) + ", or ")
                + "remove it";
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
    public Set<String> known() {
        return keys.stream().map(Mistakes::variable).collect(Collectors.toCollection(TreeSet::new));
    }
}
