// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.Scheduler;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import io.quorumlock.engines.redis.MasterConnection.ServerFacts;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import java.time.Duration;
import java.util.concurrent.TimeoutException;

/** The connector to one Redis server, with the Vert.x client. */
public final class RedisConnector implements MasterConnector {
    /** Far more than a batch and the load of all scripts, which may be sent at the same moment. */
    private static final int MOST_REQUESTS = 512;

    private static final String CLIENT_NAME = "quorumlock";
    private static final String RESP3 = "3";

    private final Vertx vertx;
    private final Scheduler scheduler;
    private final MasterAddress address;
    private final RedisOptions options;

    public RedisConnector(Vertx vertx, Scheduler scheduler, MasterAddress address, LinkSettings settings) {
        this.vertx = vertx;
        this.scheduler = scheduler;
        this.address = address;
        this.options = options(address, settings);
    }

    private static RedisOptions options(MasterAddress address, LinkSettings settings) {
        NetClientOptions net = new NetClientOptions()
                .setConnectTimeout((int) settings.firstConnectTimeout().toMillis())
                .setTcpKeepAlive(true);
        if (address.isEncrypted()) {
            net.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
            settings.authorities()
                    .ifPresent(file -> net.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        }
        return new RedisOptions()
                .setConnectionString(address.url())
                .setProtocolNegotiation(false)
                .setNetClientOptions(net)
                .setMaxPoolSize(1)
                .setMaxPoolWaiting(1)
                .setPoolCleanerInterval(-1)
                .setPoolRecycleTimeout(-1)
                .setMaxWaitingHandlers(MOST_REQUESTS);
    }

    @Override
    public Future<MasterConnection> connect(Duration limit) {
        Redis client = Redis.createClient(vertx, options);
        Promise<MasterConnection> opened = Promise.promise();
        // The client has no timeout for a handshake without an answer.
        Scheduler.Timer timer =
                scheduler.after(limit, () -> opened.tryFail(new TimeoutException("no answer to the handshake")));
        client.connect()
                .compose(connection -> introduce(client, connection))
                .onSuccess(opened::tryComplete)
                .onFailure(opened::tryFail);
        return opened.future().onComplete(done -> timer.cancel()).onFailure(cause -> client.close());
    }

    private Future<MasterConnection> introduce(Redis client, RedisConnection connection) {
        return connection
                .send(hello())
                .compose(welcome -> connection.send(Request.cmd(Command.INFO)))
                .map(info -> ServerFacts.parse(info.toString()))
                .compose(facts -> {
                    MasterConnection opened = new MasterConnection(connection, facts, client::close);
                    // A server that is no master may have no scripts.
                    return facts.misfit().isPresent()
                            ? Future.succeededFuture(opened)
                            : MasterConnection.loadScripts(connection).map(opened);
                });
    }

    /** The client would send the same, and swallow errors, such as that of a master with too many clients. */
    private Request hello() {
        Request hello = Request.cmd(Command.HELLO).arg(RESP3);
        address.login().ifPresent(login -> hello.arg("AUTH").arg(login.user()).arg(login.password()));
        return hello.arg("SETNAME").arg(CLIENT_NAME);
    }
}
