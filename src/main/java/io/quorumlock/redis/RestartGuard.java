package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Locale;

/**
 * Keeps a node that may have forgotten votes from voting for longer than any lease can last (R9): the delayed restart of the
 * Redlock paper, enforced. It is decided on the node itself, in every handshake and again in every heartbeat.
 *
 * @param quarantine longer than the longest TTL
 */
public record RestartGuard(boolean enabled, int nodes, Duration quarantine) {
    /** The names end in a slash, which no resource does: with an empty lock prefix none of them is a lock. */
    private static final String MARKER = "quorumlock:marker/";

    private static final String QUARANTINE = "quorumlock:quarantine/";
    private static final String LONGEST = "quorumlock:longest/";
    private static final String PERSISTENCE = "*append*";
    private static final int ADMITTED = 1;
    private static final int NEW = 2;
    private static final int ERROR = -1;

    /** Is what is known when the node is asked. */
    enum Occasion {
        /** Its handshake. */
        ASK,
        /** All configured nodes are new and keep every write: a new fleet. */
        FOUND,
        /** Not all are: this one may have lost what it knew. */
        DOUBT,
        /** Its wall clock was moved, and Redis expires by it. */
        STEPPED,
        /** A heartbeat of a node that was admitted on this connection. */
        CHECK
    }

    /** Reads the past of the node, and changes nothing. */
    Future<NodeHistory> look(NodeConnection node) {
        return node.connection()
                .send(admission().arg("").arg(nodes).arg(0).arg(0).arg(0).arg("look"))
                .map(answer -> {
                    failOnError(answer);
                    return past(answer);
                });
    }

    Future<AdmissionResult> admit(NodeConnection node, Occasion occasion, FleetHistory.Expectation expected) {
        return keepsEveryWrite(node.connection()).compose(keeps -> node.connection()
                .send(admission()
                        .arg(node.facts().runId())
                        .arg(nodes)
                        .arg(keeps ? 1 : 0)
                        .arg(quarantine.toMillis())
                        .arg(expected.longest().toMillis())
                        .arg(occasion.name().toLowerCase(Locale.ROOT))
                        .arg(expected.id())
                        .arg(expected.age())
                        .arg(expected.newId())
                        .arg(expected.others()))
                .map(this::read));
    }

    private static Request admission() {
        return Request.cmd(Command.EVALSHA)
                .arg(LuaScript.ADMIT.sha())
                .arg(3)
                .arg(MARKER)
                .arg(QUARANTINE)
                .arg(LONGEST);
    }

    private AdmissionResult read(Response answer) {
        failOnError(answer);
        return switch (answer.get(0).toInteger()) {
            case ADMITTED -> new AdmissionResult.Admitted(
                    Duration.ofMillis(answer.get(1).toLong()), past(answer));
            case NEW -> new AdmissionResult.New();
            default -> new AdmissionResult.Refused("was marked by a service with " + answer.get(1)
                    + " nodes, this one has " + nodes + "; all replicas must name the same nodes");
        };
    }

    private static void failOnError(Response answer) {
        if (answer.get(0).toInteger() == ERROR) {
            throw new Unusable(NodeFailure.ofError(answer.get(1).toString()));
        }
    }

    private static NodeHistory past(Response answer) {
        return new NodeHistory(
                answer.get(2).toString(),
                answer.get(3).toLong(),
                Duration.ofMillis(answer.get(4).toLong()),
                NodeHistory.ages(answer.get(5).toString()));
    }

    /** Tells whether no acknowledged write can be lost in a crash; where the node does not tell, it may. */
    private static Future<Boolean> keepsEveryWrite(RedisConnection connection) {
        return connection
                .send(Request.cmd(Command.CONFIG).arg("GET").arg(PERSISTENCE))
                .map(settings -> value(settings, "appendonly").equals("yes")
                        && value(settings, "appendfsync").equals("always")
                        && value(settings, "no-appendfsync-on-rewrite").equals("no"))
                .recover(RestartGuard::doubtWhereItMayNotTell);
    }

    /** Any other error, as that of a node which still loads its data, says nothing about it: the handshake is tried again. */
    private static Future<Boolean> doubtWhereItMayNotTell(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        boolean mayNotTell = message.contains("NOPERM") || message.contains("unknown command");
        return mayNotTell ? Future.succeededFuture(false) : Future.failedFuture(cause);
    }

    /** Reads a map of the newer protocol, or a list of names and values of the older one. */
    private static String value(Response settings, String name) {
        if (settings.getKeys().contains(name)) {
            return settings.get(name).toString();
        }
        for (int i = 0; i + 1 < settings.size(); i += 2) {
            if (settings.get(i).toString().equals(name)) {
                return settings.get(i + 1).toString();
            }
        }
        return "";
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
