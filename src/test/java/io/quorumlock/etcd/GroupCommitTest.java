// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.protobuf.ByteString;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.StoreCall;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.etcd.FakeMember.Reply;
import io.quorumlock.lock.NoQuorumReason.Effect;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.RealLoop;
import io.vertx.core.http.HttpClientOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupCommitTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PERMISSION_DENIED = 7;
    private static final int UNAVAILABLE = 14;

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

    @Test
    void sendsEachAloneIfTheGroupIsRefused() {
        GroupCommit commits =
                commits(request -> nested(request).isEmpty() && key(request).endsWith("a")
                        ? done(request)
                        : Reply.refused(PERMISSION_DENIED, "etcdserver: permission denied"));
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
        EtcdSettings settings =
                new EtcdSettings(List.of(fake.address), "/test", TIMEOUT, Optional.empty(), new HttpClientOptions());
        return new GroupCommit(
                new EtcdMember(fake.address, settings, loop.vertx),
                new RecordKeys(settings.root()),
                loop.engineContext.loop());
    }

    /** Creates records in one turn of the event loop. */
    private List<StoreReply> commit(GroupCommit commits, String... names) {
        return send(commits, names).stream().map(RealLoop::await).toList();
    }

    private List<CompletableFuture<StoreReply>> send(GroupCommit commits, String... names) {
        List<CompletableFuture<StoreReply>> replies = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            replies.add(new CompletableFuture<>());
        }
        loop.engineContext.loop().execute(() -> {
            for (int i = 0; i < names.length; i++) {
                StoreCall call = new StoreCall(TIMEOUT, Effect.NONE, loop.engineContext, replies.get(i)::complete);
                commits.commit(List.of(Change.create(new ResourceName(names[i]), "text")), call);
            }
        });
        return replies;
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
