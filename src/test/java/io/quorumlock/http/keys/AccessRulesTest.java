// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.keys.AccessRules.AccessRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessRulesTest {
    private static final AccessRules RULES = new AccessRules(List.of(
            rule("orders/", Verb.ACQUIRE, Verb.READ),
            rule("orders/eu/", Verb.READ),
            rule("orders/eu/secret", new Verb[0]),
            rule("caf\u00e9/", Verb.LIST),
            rule("", Verb.LIST)));

    @ParameterizedTest
    @CsvSource({
        "ACQUIRE, orders/42,           true",
        "READ,    orders/42,           true",
        "RELEASE, orders/42,           false",
        "ACQUIRE, orders/eu/42,        false",
        "READ,    orders/eu/42,        true",
        "READ,    orders/eu/secret,    false",
        "READ,    orders/eu/secrets/1, false",
        "LIST,    orders/42,           false",
        "LIST,    other,               true",
        "ACQUIRE, other,               false",
        "ACQUIRE, orders,              false",
        "ACQUIRE, Orders/42,           false",
        "ACQUIRE, xorders/42,          false"
    })
    void onlyLongestMatchingPrefixDecides(Verb verb, String name, boolean allowed) {
        assertEquals(allowed, RULES.allow(verb, new ResourceName(name)));
    }

    @Test
    void allowsNothingWithoutAMatchingRule() {
        AccessRules none = new AccessRules(List.of());
        for (Verb verb : Verb.values()) {
            assertFalse(none.allow(verb, new ResourceName("a")));
            assertFalse(none.allowAll(verb, new ResourcePrefix("")));
            assertFalse(none.allowOverall(verb));
        }
    }

    @Test
    void comparesNamesAsTheyAre() {
        assertTrue(RULES.allow(Verb.LIST, new ResourceName("caf\u00e9/1")));
        assertFalse(new AccessRules(List.of(rule("caf\u00e9/", Verb.LIST)))
                .allow(Verb.LIST, new ResourceName("cafe\u0301/1")));
    }

    /** A listing of "orders/" would include names below "orders/eu/secret". */
    @ParameterizedTest
    @CsvSource({
        "READ, orders/,           false",
        "READ, orders/us,         true",
        "READ, orders/e,          false",
        "READ, orders/eu/a,       true",
        "READ, orders/eu/secret,  false",
        "LIST, '',                false",
        "LIST, others,            true",
        "LIST, ord,               false"
    })
    void allowsPrefixesOnlyIfNoLongerRuleDenies(Verb verb, String prefix, boolean allowed) {
        assertEquals(allowed, RULES.allowAll(verb, new ResourcePrefix(prefix)));
    }

    @Test
    void appliesTheEmptyPrefixToTheService() {
        assertTrue(RULES.allowOverall(Verb.LIST));
        assertFalse(RULES.allowOverall(Verb.READ));
    }

    private static AccessRule rule(String prefix, Verb... verbs) {
        return new AccessRule(new ResourcePrefix(prefix), Set.of(verbs));
    }
}
