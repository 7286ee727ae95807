package io.quorumlock.redis;

import io.quorumlock.time.Backoff;
import io.quorumlock.time.EngineContext;
import io.quorumlock.time.MonotonicTime;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.Set;

/** Keeps a connection to one node for what it announces: dials, subscribes, notices that it is dead, dials again. */
final class Subscription {
    private static final String MESSAGE = "message";
    private static final Set<String> NEWS = Set.of(MESSAGE, "subscribe");
    private static final byte[] NOTHING = {};
    private static final int FIELDS = 3;

    private final NodeConnector connector;
    private final LinkSettings settings;
    private final EngineContext engineContext;
    private final Channels channels;
    private final Backoff backoff;
    private NodeConnection line;
    private MonotonicTime lastLife;
    private boolean opened;
    private boolean closed;

    /** Is what to listen to, and who listens. */
    interface Channels {
        Set<String> wanted();

        /**
         * Hears that something was announced on a channel, or that listening to it began.
         *
         * @param message empty at the beginning
         */
        void heard(String channel, byte[] message);

        /** Hears that the connection is gone, and with it whatever was announced after its last sign of life. */
        void lost(MonotonicTime lastLife);
    }

    Subscription(NodeConnector connector, LinkSettings settings, EngineContext engineContext, Channels channels) {
        this.connector = connector;
        this.settings = settings;
        this.engineContext = engineContext;
        this.channels = channels;
        this.backoff =
                new Backoff(LinkSettings.FIRST_RECONNECT, LinkSettings.LONGEST_RECONNECT, engineContext.random());
    }

    void add(String channel) {
        if (line != null) {
            line.connection().send(Request.cmd(Command.SUBSCRIBE).arg(channel));
        } else if (!opened) {
            opened = true;
            dial();
        }
    }

    void remove(String channel) {
        if (line != null) {
            line.connection().send(Request.cmd(Command.UNSUBSCRIBE).arg(channel));
        }
    }

    void close() {
        closed = true;
        if (line != null) {
            line.close();
            line = null;
        }
    }

    private void dial() {
        if (!closed) {
            connector
                    .connect(settings.firstConnectTimeout())
                    .onSuccess(this::listen)
                    .onFailure(cause -> dialLater());
        }
    }

    private void dialLater() {
        engineContext.scheduler().after(backoff.next(), this::dial);
    }

    private void listen(NodeConnection dialed) {
        if (closed) {
            dialed.close();
            return;
        }
        line = dialed;
        lastLife = engineContext.clock().now();
        backoff.reset();
        line.connection().handler(news -> {
            noteLife(dialed);
            hear(news);
        });
        line.connection().endHandler(end -> lose(dialed));
        line.connection().exceptionHandler(cause -> lose(dialed));
        if (!channels.wanted().isEmpty()) {
            Request subscribe = Request.cmd(Command.SUBSCRIBE);
            channels.wanted().forEach(subscribe::arg);
            line.connection().send(subscribe);
        }
        beatLater(dialed);
    }

    /**
     * A connection that is dead though its socket is open announces nothing, for ever. Whatever comes after the question proves
     * that it lives: the library takes news that come before the answer for the answer.
     */
    private void beatLater(NodeConnection current) {
        engineContext.scheduler().after(LinkSettings.HEARTBEAT, () -> {
            if (line == current) {
                MonotonicTime asked = engineContext.clock().now();
                current.connection().send(Request.cmd(Command.PING)).onComplete(pong -> noteLife(current));
                engineContext.scheduler().after(LinkSettings.LONGEST_SILENCE, () -> judge(current, asked));
            }
        });
    }

    private void noteLife(NodeConnection speaking) {
        if (line == speaking) {
            lastLife = engineContext.clock().now();
        }
    }

    private void judge(NodeConnection current, MonotonicTime asked) {
        if (line == current && !lastLife.isBefore(asked)) {
            beatLater(current);
        } else {
            lose(current);
        }
    }

    private void lose(NodeConnection lost) {
        if (line == lost) {
            line = null;
            lost.close();
            channels.lost(lastLife);
            dialLater();
        }
    }

    private static boolean isList(Response news) {
        return news != null && (news.type() == ResponseType.PUSH || news.type() == ResponseType.MULTI);
    }

    private void hear(Response news) {
        if (isList(news) && news.size() >= FIELDS && NEWS.contains(news.get(0).toString())) {
            byte[] message =
                    news.get(0).toString().equals(MESSAGE) ? news.get(2).toBytes() : NOTHING;
            channels.heard(news.get(1).toString(), message);
        }
    }
}
