// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.Backoff;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.MasterConnection.MasterConnector;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.Set;

/** The subscriber connection to one master: connects, subscribes, detects a dead connection, and reconnects. */
final class Subscription {
    private static final String MESSAGE = "message";
    private static final String SUBSCRIBED = "subscribe";
    private static final int FIELDS = 3;

    private final MasterConnector connector;
    private final LinkSettings settings;
    private final EngineContext engineContext;
    private final Channels channels;
    private final Backoff backoff;
    private MasterConnection connection;
    private MonotonicTime lastAlive;
    private boolean opened;
    private boolean closed;

    /** The channels to subscribe to, and the receiver of their messages. */
    interface Channels {
        Set<String> wanted();

        /** Called at the start of a subscription, also after a reconnect. */
        void subscribed(String channel);

        void received(String channel, byte[] message);

        /** Called when the connection is lost. All messages after its last data are lost too. */
        void lost(MonotonicTime lastAlive);
    }

    Subscription(MasterConnector connector, LinkSettings settings, EngineContext engineContext, Channels channels) {
        this.connector = connector;
        this.settings = settings;
        this.engineContext = engineContext;
        this.channels = channels;
        this.backoff =
                new Backoff(LinkSettings.FIRST_RECONNECT, LinkSettings.LONGEST_RECONNECT, engineContext.random());
    }

    void add(String channel) {
        if (connection != null) {
            connection.connection().send(Request.cmd(Command.SUBSCRIBE).arg(channel));
        } else if (!opened) {
            opened = true;
            connect();
        }
    }

    void remove(String channel) {
        if (connection != null) {
            connection.connection().send(Request.cmd(Command.UNSUBSCRIBE).arg(channel));
        }
    }

    void close() {
        closed = true;
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    private void connect() {
        if (!closed) {
            connector
                    .connect(settings.firstConnectTimeout())
                    .onSuccess(this::listen)
                    .onFailure(cause -> connectLater());
        }
    }

    private void connectLater() {
        engineContext.scheduler().after(backoff.next(), this::connect);
    }

    private void listen(MasterConnection connected) {
        if (closed) {
            connected.close();
            return;
        }
        connection = connected;
        lastAlive = engineContext.clock().now();
        backoff.reset();
        connection.connection().handler(push -> {
            markAlive(connected);
            receive(push);
        });
        connection.connection().endHandler(end -> lose(connected));
        connection.connection().exceptionHandler(cause -> lose(connected));
        if (!channels.wanted().isEmpty()) {
            Request subscribe = Request.cmd(Command.SUBSCRIBE);
            channels.wanted().forEach(subscribe::arg);
            connection.connection().send(subscribe);
        }
        pingLater(connected);
    }

    /**
     * Detects a dead connection with an open socket. Any data after the ping proves that the connection is alive: the
     * client library can mistake a message that arrives before the reply for the reply.
     */
    private void pingLater(MasterConnection current) {
        engineContext.scheduler().after(LinkSettings.HEARTBEAT, () -> {
            if (connection == current) {
                MonotonicTime asked = engineContext.clock().now();
                current.connection().send(Request.cmd(Command.PING)).onSuccess(pong -> markAlive(current));
                engineContext.scheduler().after(LinkSettings.LONGEST_SILENCE, () -> checkAlive(current, asked));
            }
        });
    }

    private void markAlive(MasterConnection sender) {
        if (connection == sender) {
            lastAlive = engineContext.clock().now();
        }
    }

    private void checkAlive(MasterConnection current, MonotonicTime asked) {
        if (connection == current && !lastAlive.isBefore(asked)) {
            pingLater(current);
        } else {
            lose(current);
        }
    }

    private void lose(MasterConnection lost) {
        if (connection == lost) {
            connection = null;
            lost.close();
            channels.lost(lastAlive);
            connectLater();
        }
    }

    private static boolean isList(Response push) {
        return push != null && (push.type() == ResponseType.PUSH || push.type() == ResponseType.MULTI);
    }

    private void receive(Response push) {
        if (!isList(push) || push.size() < FIELDS) {
            return;
        }
        String type = push.get(0).toString();
        if (type.equals(SUBSCRIBED)) {
            channels.subscribed(push.get(1).toString());
        } else if (type.equals(MESSAGE)) {
            channels.received(push.get(1).toString(), push.get(2).toBytes());
        }
    }
}
