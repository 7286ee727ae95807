// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.lock.ResourceName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordPathsTest {
    private final RecordPaths paths = new RecordPaths("/apps/locks");

    @Test
    void namesTheNodesAboveTheRecords() {
        assertEquals(List.of("/apps", "/apps/locks"), paths.ancestors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a b", "a%2Fb", "ä", "\ud83d\ude00", "*", "a/-_.~"})
    void findsNameOfPath(String text) {
        ResourceName name = new ResourceName(text);
        assertEquals(Optional.of(name), paths.nameOf(paths.of(name)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/apps/locks",
                "/apps/locks/0f",
                "/apps/locks/0f/name/child",
                "/apps/locks/0f/%",
                "/apps/locks/0f/a%2F"
            })
    void ignoresOtherPaths(String path) {
        assertEquals(Optional.empty(), paths.nameOf(path));
    }

    @Test
    void everyRecordIsInABucket() {
        for (int i = 0; i < 1_000; i++) {
            String path = paths.of(new ResourceName("name-" + i));
            String bucket = path.substring("/apps/locks/".length(), path.lastIndexOf('/'));
            assertEquals(true, paths.buckets().contains(bucket), path);
        }
    }
}
