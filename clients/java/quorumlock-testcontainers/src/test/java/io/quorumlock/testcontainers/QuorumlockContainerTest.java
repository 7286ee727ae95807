// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testcontainers;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.testcontainers.utility.DockerImageName;

class QuorumlockContainerTest {
    @Test
    void refusesOtherImages() {
        new QuorumlockContainer("quorumlock:0.1.0").close();
        new QuorumlockContainer("ghcr.io/quorumlock/quorumlock:0.1.0").close();
        DockerImageName other = DockerImageName.parse("redis:8");
        assertThrows(IllegalStateException.class, () -> new QuorumlockContainer(other));
        new QuorumlockContainer(other.asCompatibleSubstituteFor("quorumlock")).close();
    }
}
