// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.consensus.RecordStore;
import io.quorumlock.engines.consensus.RecordStore.Change;
import io.quorumlock.engines.consensus.StoreReply;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.Proves;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A store whose first watch is late: before it arrives, another program writes, and the server forgets the revision from
 * which the watch starts ({@code mvcc: required revision has been compacted}).
 */
@Tag("tools")
@Proves("L2")
class EtcdCompactionTest {
    private static final ResourceName NAME = new ResourceName("orders/42");

    private final RealLoop loop = new RealLoop();
    private final GrpcClient client = GrpcClient.client(loop.vertx);
    private final AtomicBoolean compacted = new AtomicBoolean();
    private EtcdCluster cluster;
    private EtcdMember member;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.of(1);
        member = new EtcdMember(
                cluster.addresses().get(0), settings(cluster.addresses()), new StoreMajority(1), loop.vertx);
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
        loop.close();
    }

    @Test
    void reportsChangesAlthoughTheirRevisionsWereCompacted() {
        RecordedReports reports = new RecordedReports();
        try (RealStore late = store(List.of(proxy()));
                RealStore direct = store(cluster.addresses())) {
            late.connect(reports);
            assertTrue(compacted.get());
            RecordStore other = direct.connect(new RecordedReports());
            StoreReply written = direct.ask(reply -> other.commit(List.of(Change.create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
            Eventually.holds(() -> "no report of the record: " + reports.distinct(), () -> reports.distinct().stream()
                    .anyMatch(report -> report.contains(NAME.toString())));
        }
    }

    private RealStore store(List<MemberAddress> servers) {
        return new RealStore(loop, context -> new EtcdStore(settings(servers), loop.vertx, context, new MasterLog()));
    }

    private static EtcdSettings settings(List<MemberAddress> servers) {
        return new EtcdSettings(
                servers, "/compacted", false, Duration.ofSeconds(10), Optional.empty(), new HttpClientOptions());
    }

    /** Forwards calls to the server; the first watch only after the compaction. */
    private MemberAddress proxy() {
        GrpcServer server = GrpcServer.server(loop.vertx).callHandler(call -> {
            boolean isLate = call.fullMethodName().equals(Requests.WATCH) && !compacted.get();
            call.pause();
            (isLate ? compact() : Future.succeededFuture())
                    .compose(compacted -> client.request(SocketAddress.inetSocketAddress(
                            cluster.addresses().get(0).port(), "localhost")))
                    .onSuccess(forwarded -> forward(call, forwarded));
        });
        return MemberAddress.of(
                loop.serve(call -> server.handle(call.request())).toString());
    }

    private static void forward(GrpcServerRequest<Buffer, Buffer> call, GrpcClientRequest<Buffer, Buffer> forwarded) {
        forwarded.fullMethodName(call.fullMethodName());
        forwarded.response().onSuccess(answer -> answer.handler(call.response()::write)
                .endHandler(ended -> call.response().status(answer.status()).end()));
        call.handler(forwarded::write).endHandler(ended -> forwarded.end());
        call.resume();
    }

    private Future<Message> compact() {
        ByteString put = Message.of(out -> out.writeString(1, "other"));
        return member.call("etcdserverpb.KV/Put", put)
                .compose(first -> member.call("etcdserverpb.KV/Put", put))
                .compose(second -> member.call("etcdserverpb.KV/Compact", revisionOf(second)))
                .onSuccess(done -> compacted.set(true));
    }

    private static ByteString revisionOf(Message answer) {
        return Message.of(out -> out.writeInt64(1, answer.message(1).number(3)));
    }
}
