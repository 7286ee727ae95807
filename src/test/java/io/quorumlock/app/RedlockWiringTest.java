// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import io.quorumlock.settings.Mistakes;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of masters. {@code mistakes.txt} has the wrong ones (R2). */
class RedlockWiringTest {

    @ParameterizedTest
    @ValueSource(strings = {"redis://a", "redis://a:1,rediss://u:p@a:2, redis://b "})
    void acceptsOddNumbersOfNodes(String nodes) {
        List<String> urls = List.of(nodes.split(","));
        Mistakes mistakes = new Mistakes();
        RedlockWiring.checkMasters(urls, mistakes);
        assertDoesNotThrow(mistakes::throwIfAny);
    }
}
