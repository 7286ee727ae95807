// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The consistency of the plain files with each other, with the definitions of Kubernetes, and with the service. */
@Execution(ExecutionMode.CONCURRENT)
class KubernetesTest {
    private static final Manifests MANIFESTS = Manifests.below(Path.of("deploy/kubernetes"));

    @ParameterizedTest
    @EnumSource
    void manifestsFollowRule(ManifestRule rule) {
        assertEquals(List.of(), rule.breachesOf(MANIFESTS));
    }

    /** A rule that cannot fail checks nothing. */
    @ParameterizedTest
    @MethodSource("io.quorumlock.deployment.ManifestBreach#all")
    void ruleDetectsBreach(ManifestBreach breach) {
        Manifests broken = MANIFESTS.broken(breach.file(), breach.from(), breach.to());
        List<String> found = breach.rule().breachesOf(broken);
        assertTrue(found.stream().anyMatch(message -> message.contains(breach.message())), found::toString);
    }

    @Test
    void everyRuleHasBreach() {
        Set<ManifestRule> broken =
                ManifestBreach.all().map(ManifestBreach::rule).collect(Collectors.toSet());
        assertEquals(EnumSet.allOf(ManifestRule.class), broken);
    }
}
