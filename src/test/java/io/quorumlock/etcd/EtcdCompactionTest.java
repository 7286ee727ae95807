// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.consensus.RecordStore;
import io.quorumlock.consensus.RecordStore.Change;
import io.quorumlock.consensus.StoreReply;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.testing.EtcdCluster;
import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RealStore;
import io.quorumlock.testing.RecordedReports;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
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
class EtcdCompactionTest {
    private static final ResourceName NAME = new ResourceName("orders/42");

    private final RealLoop loop = new RealLoop();
    private final HttpClient http = loop.vertx.createHttpClient();
    private final AtomicBoolean compacted = new AtomicBoolean();
    private EtcdCluster cluster;
    private EtcdMember member;

    @BeforeEach
    void start() {
        cluster = EtcdCluster.of(1);
        member = new EtcdMember(cluster.addresses().get(0), settings(cluster.addresses()), loop.vertx);
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
        try (RealStore late =
                        store(List.of(MemberAddress.of(loop.serve(this::forward).toString())));
                RealStore direct = store(cluster.addresses())) {
            late.connect(reports);
            assertTrue(compacted.get());
            RecordStore other = direct.connect(new RecordedReports());
            StoreReply written = direct.ask(reply -> other.commit(List.of(Change.create(NAME, "text")), reply));
            assertInstanceOf(StoreReply.Committed.class, written);
            Eventually.within(
                    Duration.ofSeconds(20),
                    () -> "no report of the record: " + reports.distinct(),
                    () -> reports.distinct().stream().anyMatch(report -> report.contains(NAME.toString())));
        }
    }

    private RealStore store(List<MemberAddress> servers) {
        return new RealStore(loop, context -> new EtcdStore(settings(servers), loop.vertx, context));
    }

    private static EtcdSettings settings(List<MemberAddress> servers) {
        return new EtcdSettings(
                servers, "/compacted", Duration.ofSeconds(10), Optional.empty(), new HttpClientOptions());
    }

    /** Forwards a call to the server; the first watch only after the compaction. */
    private void forward(RoutingContext call) {
        boolean isLate = call.request().path().equals("/v3/watch") && !compacted.get();
        call.request()
                .body()
                .compose(body -> isLate ? compact().map(body) : Future.succeededFuture(body))
                .compose(body -> send(call, body))
                .onFailure(failure -> call.response().reset());
    }

    private Future<Void> send(RoutingContext call, Buffer body) {
        MemberAddress server = cluster.addresses().get(0);
        return http.request(
                        HttpMethod.POST,
                        server.port(),
                        server.host(),
                        call.request().uri())
                .compose(request -> request.send(body))
                .compose(response -> {
                    call.response().setStatusCode(response.statusCode()).setChunked(true);
                    return response.pipeTo(call.response());
                });
    }

    private Future<JsonObject> compact() {
        JsonObject put = new JsonObject().put("key", RecordKeys.encode("other")).put("value", "");
        return member.post("/v3/kv/put", put)
                .compose(first -> member.post("/v3/kv/put", put))
                .compose(second -> member.post(
                        "/v3/kv/compaction", new JsonObject().put("revision", EtcdJson.headerRevision(second))))
                .onSuccess(done -> compacted.set(true));
    }
}
