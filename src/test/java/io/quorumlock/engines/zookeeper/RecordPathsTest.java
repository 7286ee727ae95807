// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class RecordPathsTest {
    private final RecordPaths paths = new RecordPaths("/apps/locks");

    @Test
    void namesTheNodesAboveTheRecords() {
        assertEquals(List.of("/apps", "/apps/locks"), paths.ancestors());
    }

    /** Another version would not find the nodes: raise the version of the layout with each change here. */
    @Test
    void nodesHaveTheLayoutOfTheRoot() {
        assertEquals("1", RecordLayout.VERSION);
        ResourceName name = new ResourceName("orders/\u00e4 42");
        String path = "/apps/locks/024/orders%2F%C3%A4+42";
        assertEquals(path, paths.of(name));
        List<String> created =
                NodeChange.of(Change.create(name, "text"), paths, "child", Ids.OPEN_ACL_UNSAFE).operations().stream()
                        .map(Op::getPath)
                        .toList();
        assertEquals(List.of(path, path + "/child", path), created);
        StoredRecord read =
                NodeChange.read(name, "child text of the record".getBytes(StandardCharsets.UTF_8), new Stat());
        assertEquals("text of the record", read.text());
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
