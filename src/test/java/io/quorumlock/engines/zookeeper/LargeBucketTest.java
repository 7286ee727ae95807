// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SharedZooKeeper;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Replies and requests that are as large as names make them. */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(SharedZooKeeper.NAME)
@Tag("nightly")
class LargeBucketTest {
    /** In percent-encoding, each has 1.5 KB. */
    private static final String LONG_NAME = "\u00e9".repeat(250);

    private static final int NAMES = 23 * ResourceNames.MOST;

    private final ZooKeeperSettings settings = TestSettings.of(SharedZooKeeper.SERVER.address());

    /** By default, the client closes a connection with a longer reply than 1 MB. */
    @Test
    void reportsNamesOfBucketWithMoreThanOneMegabyte() {
        try (RealStore fixture = store()) {
            RecordStore store = fixture.connect(new RecordedReports());
            List<ResourceName> names = namesOfOneBucket();
            for (int first = 0; first < NAMES; first += ResourceNames.MOST) {
                List<Change> changes = names.subList(first, first + ResourceNames.MOST).stream()
                        .map(name -> Change.create(name, "text"))
                        .toList();
                fixture.ask(reply -> store.commit(changes, reply));
            }
        }
        try (RealStore later = store()) {
            RecordedReports reports = new RecordedReports();
            later.connect(reports);
            assertEquals(
                    NAMES,
                    reports.distinct().stream()
                            .filter(report -> report.startsWith("exists"))
                            .count());
        }
    }

    private RealStore store() {
        return new RealStore(
                SharedZooKeeper.LOOP,
                context -> new ZooKeeperStore(settings, ForkJoinPool.commonPool(), context, new MasterLog()));
    }

    private List<ResourceName> namesOfOneBucket() {
        RecordPaths paths = new RecordPaths(settings.root());
        List<ResourceName> names = new ArrayList<>();
        String bucket = paths.below(paths.buckets().get(0));
        IntStream.iterate(0, i -> names.size() < NAMES, i -> i + 1)
                .mapToObj(i -> new ResourceName(LONG_NAME + i))
                .filter(name -> paths.of(name).startsWith(bucket + "/"))
                .forEach(names::add);
        return names;
    }
}
