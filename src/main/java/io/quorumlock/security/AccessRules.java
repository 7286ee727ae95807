package io.quorumlock.security;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Decides by the rule of the longest prefix alone; where none fits, nothing is allowed. */
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

    /** Says whether the verb is allowed on every name that begins so: no longer prefix may take it back. */
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
}
