// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.engines.etcd.FakeMember.Reply;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SeededRandom;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members of several clusters in one list. */
@Execution(ExecutionMode.CONCURRENT)
@Proves({"R1", "R2"})
class OtherClusterTest {
    private static final long OURS = 0xaL;
    private static final long OTHER = 0xbL;
    private final RealLoop loop = new RealLoop();

    @AfterEach
    void close() {
        loop.close();
    }

    /** For example, it lost its disk before the replica started. */
    @Test
    void replicaNeverBeginsWithMemberOfOtherCluster() {
        for (long seed = 0; seed < 6; seed++) {
            Member stranger = new Member(OTHER, 3);
            EtcdStore store = store(seed, new Member(OURS, 1), stranger, new Member(OURS, 2));
            RealLoop.await(store.firstReady());
            assertEquals(List.of(), stranger.used(), "seed " + seed);
            assertEquals(
                    Optional.of("belongs to the store b, but this replica uses a"),
                    store.members().get(1).refusal());
            RealLoop.await(store.close());
        }
    }

    @Test
    void replicaDoesNotBeginWithoutMajority() {
        EtcdStore store = store(1, new Member(OURS, 1), new Member(OTHER, 2));
        Eventually.holds("not refused", () -> store.members().stream()
                .allMatch(server -> server.refusal().isPresent()));
        assertTrue(
                store.members().get(0).refusal().orElseThrow().startsWith("needs 2 of 2 servers in one store, but "));
        assertFalse(store.firstReady().isDone());
        RealLoop.await(store.close());
    }

    /** Both have the defaults of etcd, so that only the id of the member shows it. */
    @Test
    void replicaDoesNotBeginWithTwoMembersOfOneId() {
        EtcdStore store = store(1, new Member(OURS, 1), new Member(OURS, 1));
        Eventually.holds("not refused", () -> store.members().stream()
                .anyMatch(server -> server.refusal().isPresent()));
        assertFalse(store.firstReady().isDone());
        RealLoop.await(store.close());
    }

    /** The connection is as before, for example through a proxy. */
    @Test
    void replicaLeavesMemberThatBecameOtherCluster() {
        List<Member> members = List.of(new Member(OURS, 1), new Member(OURS, 2), new Member(OURS, 3));
        EtcdStore store = store(1, members.toArray(Member[]::new));
        RealLoop.await(store.firstReady());
        MemberAddress left = store.member.address();
        members.stream()
                .filter(member -> member.fake.address.equals(left))
                .forEach(member -> member.cluster.set(OTHER));
        Eventually.holds(
                "still used", () -> store.isReady() && !store.member.address().equals(left));
        RealLoop.await(store.close());
    }

    /** It answers each call as a member without records does. */
    private final class Member {
        final AtomicLong cluster;
        final long id;
        final FakeMember fake;

        Member(long cluster, long id) {
            this.cluster = new AtomicLong(cluster);
            this.id = id;
            this.fake = new FakeMember(
                    loop,
                    (method, request, token) -> method.equals(Requests.WATCH)
                            ? Reply.created(this.cluster.get(), id)
                            : Reply.of(this.cluster.get(), id, answer(method, request)));
        }

        private ByteString answer(String method, Message request) {
            boolean readsLayout =
                    method.equals(Requests.RANGE) && request.bytes(2).isEmpty();
            ByteString layout = Message.of(keyValue -> keyValue.writeString(5, RecordLayout.VERSION));
            return Message.of(out -> {
                if (method.equals(Requests.STATUS)) {
                    out.writeUInt64(4, id); // leader
                } else if (readsLayout) {
                    out.writeBytes(2, layout); // kvs
                }
            });
        }

        /** Returns the calls that are more than a question. */
        List<String> used() {
            return fake.methods.stream()
                    .filter(method -> method.equals(Requests.TXN) || method.equals(Requests.WATCH))
                    .toList();
        }
    }

    private EtcdStore store(long seed, Member... members) {
        EtcdSettings settings = new EtcdSettings(
                List.of(members).stream().map(member -> member.fake.address).toList(),
                "/test",
                false,
                Duration.ofSeconds(1),
                Optional.empty(),
                new HttpClientOptions());
        EtcdStore store =
                new EtcdStore(settings, loop.vertx, loop.choosing(new SeededRandom(seed).generator()), new MasterLog());
        loop.engineContext.loop().execute(() -> store.watch(new RecordedReports()));
        return store;
    }
}
