// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The rules of a key. Only the rule with the longest matching prefix applies; without one, nothing is allowed. */
record AccessRules(List<AccessRule> longestFirst) {
    AccessRules {
        longestFirst = longestFirst.stream()
                .sorted(Comparator.comparingInt(
                                (AccessRule rule) -> rule.prefix().text().length())
                        .reversed())
                .toList();
    }

    boolean allow(Verb verb, ResourceName name) {
        return of(name.text()).filter(rule -> rule.allows(verb)).isPresent();
    }

    /** Returns whether the verb is allowed on all names with the prefix, also by the rules with longer prefixes. */
    boolean allowAll(Verb verb, ResourcePrefix prefix) {
        return of(prefix.text()).filter(rule -> rule.allows(verb)).isPresent()
                && longestFirst.stream()
                        .filter(rule -> prefix.begins(rule.prefix().text()))
                        .allMatch(rule -> rule.allows(verb));
    }

    boolean allowOverall(Verb verb) {
        return of("").filter(rule -> rule.allows(verb)).isPresent();
    }

    private Optional<AccessRule> of(String name) {
        for (AccessRule rule : longestFirst) {
            if (rule.prefix().begins(name)) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    /**
     * The verbs that are allowed on the names with a prefix.
     *
     * @param verbs empty to exclude names from a rule with a shorter prefix
     */
    record AccessRule(ResourcePrefix prefix, Set<Verb> verbs) {
        AccessRule {
            verbs = Set.copyOf(verbs);
        }

        boolean allows(Verb verb) {
            return verbs.contains(verb);
        }
    }
}
