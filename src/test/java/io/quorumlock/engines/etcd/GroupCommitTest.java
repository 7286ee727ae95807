// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.GroupCommit;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreCall;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.engines.consensus.StoredRecord;
import io.quorumlock.engines.etcd.FakeMember.Reply;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Proves("R8")
class GroupCommitTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PERMISSION_DENIED = 7;
    private static final int RESOURCE_EXHAUSTED = 8;
    private static final int UNAVAILABLE = 14;
    private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";

    private final RealLoop loop = new RealLoop();
    /** The number of transactions in each request; 0 if it is one that is not nested. */
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        loop.close();
    }

    /** No key can be written twice. */
    @Test
    void groupEndsBeforeTheFirstRepeatedName() {
        GroupCommit commits = commits(GroupCommitTest::done);
        List<StoreReply> replies = commit(commits, "a", "b", "a", "c", "a");
        replies.forEach(reply -> assertInstanceOf(StoreReply.Committed.class, reply));
        assertEquals(List.of(2, 2, 0), sizes);
    }

    @Test
    void groupHasNoMoreChangesThanEtcdTakes() {
        GroupCommit commits = commits(GroupCommitTest::done);
        commit(commits, IntStream.range(0, 200).mapToObj(i -> "name-" + i).toArray(String[]::new));
        assertEquals(List.of(127, 73), sizes);
    }

    @Test
    void conflictConcernsOneTransaction() {
        GroupCommit commits = commits(request -> Reply.of(answer(true, false, true)));
        List<StoreReply> replies = commit(commits, "a", "b", "c");
        assertInstanceOf(StoreReply.Committed.class, replies.get(0));
        assertEquals(new StoreReply.Conflict(List.of(Optional.empty())), replies.get(1));
        assertInstanceOf(StoreReply.Committed.class, replies.get(2));
    }

    @ParameterizedTest
    @CsvSource({
        PERMISSION_DENIED + ", etcdserver: permission denied",
        RESOURCE_EXHAUSTED + ", grpc: received message larger than max (3 vs. 2)"
    })
    void sendsEachAloneIfTheGroupIsRefused(int status, String reason) {
        GroupCommit commits =
                commits(request -> nested(request).isEmpty() && key(request).endsWith("a")
                        ? done(request)
                        : Reply.refused(status, reason));
        List<StoreReply> replies = commit(commits, "a", "b");
        assertInstanceOf(StoreReply.Committed.class, replies.get(0));
        assertEquals(new StoreReply.Failed(Effect.NONE), replies.get(1));
        assertEquals(List.of(2, 0, 0), sizes);
    }

    /** R8 */
    @Test
    void sendsNothingAgainAfterLostAnswer() {
        GroupCommit commits = commits(request -> Reply.refused(UNAVAILABLE, "etcdserver: request timed out"));
        assertEquals(
                List.of(new StoreReply.Failed(Effect.UNKNOWN), new StoreReply.Failed(Effect.UNKNOWN)),
                commit(commits, "a", "b"));
        assertEquals(List.of(2), sizes);
    }

    /** etcd makes the change that exceeds its quota, and answers that there is no space. */
    @Test
    void refusedForSpaceMayHaveTakenEffect() {
        GroupCommit commits = commits(request -> Reply.refused(RESOURCE_EXHAUSTED, NO_SPACE));
        assertEquals(
                List.of(new StoreReply.Failed(Effect.UNKNOWN), new StoreReply.Failed(Effect.UNKNOWN)),
                commit(commits, "a", "b"));
        assertEquals(List.of(2), sizes);
    }

    @Test
    void deletesNeedNoSpace() {
        GroupCommit commits =
                commits(request -> writes(request) ? Reply.refused(RESOURCE_EXHAUSTED, NO_SPACE) : done(request));
        commit(commits, "full");
        List<StoreReply> replies = send(commits, delete("a"), delete("b"), create("c"), delete("d")).stream()
                .map(RealLoop::await)
                .toList();
        StoreReply deleted = new StoreReply.Committed(List.of());
        assertEquals(List.of(deleted, deleted, new StoreReply.Failed(Effect.UNKNOWN), deleted), replies);
        assertEquals(List.of(0, 2, 0, 0), sizes);
    }

    @Test
    void writesAndDeletesAreSentTogetherWhenThereIsSpaceAgain() {
        AtomicBoolean full = new AtomicBoolean(true);
        GroupCommit commits =
                commits(request -> full.get() ? Reply.refused(RESOURCE_EXHAUSTED, NO_SPACE) : done(request));
        commit(commits, "full");
        full.set(false);
        commit(commits, "space");
        send(commits, delete("a"), create("b")).forEach(RealLoop::await);
        assertEquals(List.of(0, 0, 2), sizes);
    }

    @Test
    void answerWithTooFewRepliesIsNone() {
        GroupCommit commits = commits(request -> Reply.of(answer(true)));
        assertEquals(
                List.of(new StoreReply.Failed(Effect.UNKNOWN), new StoreReply.Failed(Effect.UNKNOWN)),
                commit(commits, "a", "b"));
    }

    @Test
    void transactionThatWasNotSentHasNoEffect() {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        GroupCommit commits = commits(request -> {
            arrived.complete(null);
            return Reply.NONE;
        });
        send(commits, "a");
        RealLoop.await(arrived);
        List<CompletableFuture<StoreReply>> waiting = send(commits, "b");
        loop.engineContext.loop().execute(commits::close);
        assertEquals(new StoreReply.Failed(Effect.NONE), RealLoop.await(waiting.get(0)));
        assertEquals(List.of(0), sizes);
    }

    private interface Server {
        Reply reply(Message request);
    }

    private GroupCommit commits(Server server) {
        FakeMember fake = new FakeMember(loop, (method, request, token) -> {
            sizes.add(nested(request).size());
            return server.reply(request);
        });
        EtcdSettings settings = new EtcdSettings(
                List.of(fake.address), "/test", false, TIMEOUT, Optional.empty(), new HttpClientOptions());
        Executor executor = loop.engineContext.loop();
        EtcdMember member = new EtcdMember(fake.address, settings, new StoreMajority(1), loop.vertx);
        return new GroupCommit(
                new Transactions(member, new RecordKeys(settings.root()), executor),
                Transactions.MOST_OPERATIONS,
                executor);
    }

    /** Creates records in one turn of the event loop. */
    private List<StoreReply> commit(GroupCommit commits, String... names) {
        return send(commits, names).stream().map(RealLoop::await).toList();
    }

    private List<CompletableFuture<StoreReply>> send(GroupCommit commits, String... names) {
        return send(commits, Stream.of(names).map(GroupCommitTest::create).toArray(Change[]::new));
    }

    private List<CompletableFuture<StoreReply>> send(GroupCommit commits, Change... changes) {
        List<CompletableFuture<StoreReply>> replies = new ArrayList<>();
        for (int i = 0; i < changes.length; i++) {
            replies.add(new CompletableFuture<>());
        }
        loop.engineContext.loop().execute(() -> {
            for (int i = 0; i < changes.length; i++) {
                StoreCall call = new StoreCall(TIMEOUT, Effect.NONE, loop.engineContext, replies.get(i)::complete);
                commits.commit(List.of(changes[i]), call);
            }
        });
        return replies;
    }

    private static Change create(String name) {
        return Change.create(new ResourceName(name), "text");
    }

    private static Change delete(String name) {
        return Change.delete(new StoredRecord(new ResourceName(name), "text", 1, "1"));
    }

    private static Reply done(Message request) {
        Boolean[] all = nested(request).stream().map(transaction -> true).toArray(Boolean[]::new);
        return Reply.of(answer(all));
    }

    private static List<Message> nested(Message request) {
        return request.messages(2).stream()
                .filter(operation -> !operation.bytes(4).isEmpty())
                .toList();
    }

    /** Returns whether a change is a write, as the branch that is never taken has it, too. */
    private static boolean writes(Message request) {
        return Stream.of(2, 3)
                .flatMap(branch -> request.messages(branch).stream())
                .anyMatch(operation -> !operation.bytes(2).isEmpty());
    }

    /** Returns the key of the only change. */
    private static String key(Message request) {
        return request.messages(1).get(0).text(3);
    }

    /** The answer to a transaction that had its conditions, and whether those nested in it had theirs. */
    private static ByteString answer(Boolean... nested) {
        ByteString header = Message.of(out -> out.writeInt64(3, 42));
        return Message.of(out -> {
            out.writeBytes(1, header);
            out.writeBool(2, true);
            for (boolean succeeded : nested) {
                ByteString transaction = Message.of(inner -> {
                    inner.writeBool(2, succeeded);
                    inner.writeBytes(3, ByteString.EMPTY);
                });
                out.writeBytes(3, Message.of(operation -> operation.writeBytes(4, transaction)));
            }
        });
    }
}
