package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a node that may have forgotten votes from voting for longer than any lease can last (R9): the delayed restart of the
 * Redlock paper, enforced. A restart always breaks the connection, so it is decided in every handshake, on the node itself.
 *
 * @param quarantine longer than the longest TTL
 */
public record RestartGuard(boolean enabled, int nodes, Duration quarantine) {
    private static final String MARKER = "quorumlock:marker";
    private static final String QUARANTINE = "quorumlock:quarantine";
    private static final int ADMITTED = 1;
    private static final int NEW = 2;

    /** Is what is known when the node is asked. */
    enum Occasion {
        /** Its handshake. */
        ASK,
        /** All configured nodes are new and keep every write: a new fleet. */
        FOUND,
        /** Not all are: this one may have lost what it knew. */
        DOUBT,
        /** Its wall clock was moved, and Redis expires by it. */
        STEPPED
    }

    /** Tells for how long a node gives no vote whose clock was set, until it says so itself; nothing where it may. */
    Optional<Duration> suspicion() {
        return enabled ? Optional.of(quarantine) : Optional.empty();
    }

    Future<Admission> admit(NodeConnection line, Occasion occasion) {
        if (!enabled) {
            return Future.succeededFuture(new Admission.Admitted(Duration.ZERO));
        }
        return keepsEveryWrite(line).compose(keeps -> line.connection()
                .send(Request.cmd(Command.EVALSHA)
                        .arg(LuaScript.ADMIT.sha())
                        .arg(2)
                        .arg(MARKER)
                        .arg(QUARANTINE)
                        .arg(line.facts().runId())
                        .arg(nodes)
                        .arg(keeps ? 1 : 0)
                        .arg(quarantine.toMillis())
                        .arg(occasion.name().toLowerCase(java.util.Locale.ROOT)))
                .map(this::read));
    }

    private Admission read(Response answer) {
        return switch (answer.get(0).toInteger()) {
            case ADMITTED -> new Admission.Admitted(
                    Duration.ofMillis(answer.get(1).toLong()));
            case NEW -> new Admission.New();
            case -1 -> throw new Unusable(NodeFailure.ofError(answer.get(1).toString()));
            default -> new Admission.Refused("was marked by a service with " + answer.get(1) + " nodes, this one has "
                    + nodes + "; all replicas must name the same nodes");
        };
    }

    /** Says whether no acknowledged write can be lost in a crash; where the node does not tell, it may. */
    private static Future<Boolean> keepsEveryWrite(NodeConnection line) {
        if (!line.facts().appends()) {
            return Future.succeededFuture(false);
        }
        return setting(line.connection(), "appendfsync")
                .compose(fsync -> setting(line.connection(), "no-appendfsync-on-rewrite")
                        .map(pause -> fsync.equals("always") && pause.equals("no")))
                .recover(RestartGuard::doubtWhereItMayNotTell);
    }

    /** Any other error, as that of a node which still loads its data, says nothing about it: the handshake is tried again. */
    private static Future<Boolean> doubtWhereItMayNotTell(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        boolean mayNotTell = message.contains("NOPERM") || message.contains("unknown command");
        return mayNotTell ? Future.succeededFuture(false) : Future.failedFuture(cause);
    }

    private static Future<String> setting(RedisConnection connection, String name) {
        return connection.send(Request.cmd(Command.CONFIG).arg("GET").arg(name)).map(answer -> value(answer, name));
    }

    /** Reads a map of the newer protocol, or a list of names and values of the older one. */
    private static String value(Response answer, String name) {
        List<String> words = answer.getKeys().contains(name)
                ? List.of(name, answer.get(name).toString())
                : answer.stream().map(Response::toString).toList();
        return words.size() < 2 ? "" : words.get(1);
    }

    /** Tells that the node could not keep its marker, so it cannot be admitted. */
    static final class Unusable extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final NodeFailure reason;

        Unusable(NodeFailure reason) {
            super("the restart guard cannot write its marker: " + reason);
            this.reason = reason;
        }

        NodeFailure reason() {
            return reason;
        }
    }
}
