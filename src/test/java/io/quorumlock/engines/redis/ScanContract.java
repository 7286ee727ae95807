// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.engines.redlock.LockMaster.NameRange;
import io.quorumlock.engines.redlock.LockMaster.ScanStep;
import io.quorumlock.engines.redlock.MasterReply.Granted;
import io.quorumlock.engines.redlock.MasterReply.Scanned;
import io.quorumlock.testing.Ask;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of scans, for every master, fake and real. */
public abstract class ScanContract extends RemainingContract {

    @Test
    void scanReturnsEveryLockWithPrefix() {
        Set<ResourceName> held = new HashSet<>();
        for (int i = 0; i < 1_000; i++) {
            held.add(hold(resource + "/scan/" + i));
        }
        hold(resource + "/other");
        ask(Ask.release(hold(resource + "/scan/released"), A));
        assertEquals(held, scan(resource + "/scan/", Optional.empty(), Optional.empty()));
    }

    @Test
    void scanReturnsNothingWithoutLocks() {
        assertEquals(Set.of(), scan(resource + "/none", Optional.empty(), Optional.empty()));
    }

    @Test
    void scanReturnsOnlyNamesInRange() {
        ResourceName a = hold(resource + "/a");
        ResourceName b = hold(resource + "/a/b");
        ResourceName c = hold(resource + "/\u00e9 \ud83d\ude00");
        assertEquals(Set.of(b, c), scan(resource.text(), Optional.of(a), Optional.empty()));
        assertEquals(Set.of(b), scan(resource.text(), Optional.of(a), Optional.of(c)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "?", "[ab]", "[^a]", "a\\", "\\*", "a*b", "[", "]", "\"'", "{a,b}", "%s"})
    void patternCharactersInPrefixAreLiteral(String prefix) {
        hold(resource + "/a");
        hold(resource + "/ab");
        ResourceName literal = hold(resource + "/" + prefix + "x");
        assertEquals(Set.of(literal), scan(resource + "/" + prefix, Optional.empty(), Optional.empty()));
    }

    private ResourceName hold(String name) {
        ResourceName held = new ResourceName(name);
        assertInstanceOf(Granted.class, ask(Ask.acquire(held, A, "a1", TTL, Optional.empty())));
        return held;
    }

    private Set<ResourceName> scan(String prefix, Optional<ResourceName> after, Optional<ResourceName> before) {
        return scan(new NameRange(new ResourcePrefix(prefix), after, before));
    }

    final Set<ResourceName> scan(NameRange range) {
        Set<ResourceName> found = new HashSet<>();
        Optional<String> from = Optional.empty();
        do {
            Scanned scanned = assertInstanceOf(Scanned.class, ask(Ask.scan(new ScanStep(range, from))));
            found.addAll(scanned.found());
            from = scanned.next();
        } while (from.isPresent());
        return found;
    }
}
