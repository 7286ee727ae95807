// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.Login;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.engines.etcd.FakeMember.Behavior;
import io.quorumlock.engines.etcd.FakeMember.Reply;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls to a member that answers as etcd does, or as no etcd should. */
@Proves("R8")
class EtcdMemberTest {
    private static final Login USER = new Login("user", "password");
    private static final Reply ANSWER = Reply.of(Message.of(out -> out.writeInt64(1, 42)));

    private final RealLoop loop = new RealLoop();

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void failsWithoutAnswerInTime() {
        FakeMember silent = new FakeMember(loop, (method, request, token) -> Reply.NONE);
        Future<Message> call = call(member(silent, Duration.ofMillis(50), Optional.empty()));
        assertInstanceOf(TimeoutException.class, failure(call));
    }

    @Test
    void failsWhenTheMemberIsClosed() {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        FakeMember silent = new FakeMember(loop, (method, request, token) -> {
            arrived.complete(null);
            return Reply.NONE;
        });
        EtcdMember member = member(silent, Optional.empty());
        Future<Message> call = call(member);
        RealLoop.await(arrived);
        member.close();
        failure(call);
    }

    /** 16 is "unauthenticated", and 99 no code of gRPC. */
    @ParameterizedTest
    @CsvSource({"7, PERMISSION_DENIED", "16, UNAUTHENTICATED", "99, Invalid gRPC status"})
    void tellsRefusals(int status, String reason) {
        FakeMember fake = new FakeMember(loop, (method, request, token) -> Reply.refused(status, "why"));
        Throwable failure = failure(call(member(fake, Optional.empty())));
        assertTrue(failure.getMessage().startsWith(reason), failure::toString);
        assertEquals(1, fake.methods.size());
    }

    @Test
    void refusesHugeMessages() {
        Buffer prefix = Buffer.buffer().appendByte((byte) 0).appendInt(Integer.MAX_VALUE);
        FakeMember fake = new FakeMember(loop, (method, request, token) -> new Reply(prefix, Optional.empty(), ""));
        Throwable failure = failure(call(member(fake, Optional.empty())));
        assertTrue(failure.toString().contains("MessageSizeOverflow"), failure::toString);
    }

    @Test
    void refusesMalformedMessages() {
        Reply cut = Reply.of(ByteString.copyFrom(new byte[] {10, 5, 1}));
        FakeMember fake = new FakeMember(loop, (method, request, token) -> cut);
        assertInstanceOf(UncheckedIOException.class, failure(call(member(fake, Optional.empty()))));
        CompletableFuture<String> end = new CompletableFuture<>();
        member(fake, Optional.empty()).watch(ByteString.EMPTY, message -> {}, end::complete);
        RealLoop.await(end);
    }

    @Test
    void logsInBeforeTheFirstCallAndAfterRefusals() {
        AtomicInteger logins = new AtomicInteger();
        FakeMember fake = new FakeMember(
                loop,
                user(
                        logins,
                        (method, request, token) -> token.equals(Optional.of("token-" + logins))
                                ? ANSWER
                                : Reply.refused(16, "invalid auth token")));
        EtcdMember member = member(fake, Optional.of(USER));
        assertEquals(42, RealLoop.await(future(call(member))).number(1));
        logins.incrementAndGet();
        List<Future<Message>> calls = List.of(call(member), call(member), call(member));
        calls.forEach(call -> assertEquals(42, RealLoop.await(future(call)).number(1)));
        assertEquals(
                2, fake.methods.stream().filter(Requests.AUTHENTICATE::equals).count());
        assertEquals(8, fake.methods.size() - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "3, etcdserver: revision of auth store is old",
        "2, auth: revision in header is old",
        "3, etcdserver: user name is empty"
    })
    void logsInAfterChangesOfRights(int status, String reason) {
        AtomicInteger logins = new AtomicInteger();
        FakeMember fake = new FakeMember(
                loop,
                user(logins, (method, request, token) -> logins.get() == 1 ? Reply.refused(status, reason) : ANSWER));
        assertEquals(
                42,
                RealLoop.await(future(call(member(fake, Optional.of(USER))))).number(1));
    }

    @Test
    void sendsNothingAgainAfterOtherFailures() {
        AtomicInteger logins = new AtomicInteger();
        FakeMember fake = new FakeMember(
                loop, user(logins, (method, request, token) -> Reply.refused(14, "etcdserver: request timed out")));
        failure(call(member(fake, Optional.of(USER))));
        assertEquals(List.of(Requests.AUTHENTICATE, Requests.RANGE), fake.methods);
    }

    @Test
    void failsIfThePasswordIsWrong() {
        FakeMember fake = new FakeMember(
                loop,
                (method, request, token) -> Reply.refused(3, "etcdserver: authentication failed, invalid user ID or"));
        assertFalse(failure(call(member(fake, Optional.of(USER)))).getMessage().isEmpty());
        assertEquals(List.of(Requests.AUTHENTICATE), fake.methods);
    }

    private static Behavior user(AtomicInteger logins, Behavior others) {
        return (method, request, token) -> method.equals(Requests.AUTHENTICATE)
                ? Reply.of(Message.of(out -> out.writeString(2, "token-" + logins.incrementAndGet())))
                : others.reply(method, request, token);
    }

    private EtcdMember member(FakeMember fake, Optional<Login> login) {
        return member(fake, Duration.ofSeconds(10), login);
    }

    private EtcdMember member(FakeMember fake, Duration timeout, Optional<Login> login) {
        return new EtcdMember(
                fake.address,
                new EtcdSettings(List.of(fake.address), "/test", false, timeout, login, new HttpClientOptions()),
                new StoreMajority(1),
                loop.vertx);
    }

    private static Future<Message> call(EtcdMember member) {
        return member.call(Requests.RANGE, Requests.range(ByteString.copyFromUtf8("key")));
    }

    private static CompletableFuture<Message> future(Future<Message> call) {
        return call.toCompletionStage().toCompletableFuture();
    }

    private static Throwable failure(Future<Message> call) {
        return RealLoop.await(future(call).handle((answer, failure) -> failure));
    }
}
