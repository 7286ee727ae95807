// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.testing.RealLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LargeGroupsTest {

    /** A store refuses requests of a megabyte. */
    @Test
    void groupOfLargeRecordsIsSmall() {
        List<Integer> sizes = new ArrayList<>();
        List<CompletableFuture<StoreReply>> replies = new ArrayList<>();
        try (RealLoop loop = new RealLoop()) {
            GroupCommit commits = new GroupCommit(
                    (group, then) -> {
                        sizes.add(group.size());
                        StoreReply done = new StoreReply.Committed(List.of());
                        then.accept(new GroupCommit.Outcome(Collections.nCopies(group.size(), done), false, false));
                    },
                    100,
                    loop.engineContext.loop());
            for (int i = 0; i < 5; i++) {
                Change large = Change.create(new ResourceName("large-" + i), "x".repeat(90_000));
                CompletableFuture<StoreReply> reply = new CompletableFuture<>();
                replies.add(reply);
                loop.engineContext
                        .loop()
                        .execute(() -> commits.commit(
                                List.of(large),
                                new StoreCall(
                                        Duration.ofSeconds(10), Effect.NONE, loop.engineContext, reply::complete)));
            }
            replies.forEach(RealLoop::await);
        }
        assertEquals(5, sizes.stream().mapToInt(size -> size).sum());
        assertEquals(2, Collections.max(sizes));
    }
}
