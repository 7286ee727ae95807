// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.NodeFailure;
import io.quorumlock.redis.FleetHistory.NodeHistory;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Locale;

/**
 * The restart guard: keeps a node that may have lost votes from voting for longer than any lease can last (R9). This is
 * the delayed restart of the Redlock paper. Each node decides by its own data, at every connect and every heartbeat.
 *
 * @param quarantine must be longer than the longest TTL
 */
public record RestartGuard(boolean enabled, int nodes, Duration quarantine) {
    /**
     * The keys end in a slash, so that with an empty lock prefix none of them can be the name of a resource.
     */
    private static final String MARKER = "quorumlock:marker/";

    private static final String QUARANTINE = "quorumlock:quarantine/";
    private static final String LONGEST = "quorumlock:longest/";
    private static final String PERSISTENCE = "*append*";
    private static final int ADMITTED = 1;
    private static final int NEW = 2;
    private static final int ERROR = -1;

    /** The occasion of the decision. */
    enum Occasion {
        /** A new connection. */
        ASK,
        /** All configured nodes are new and persist every write: a new fleet. */
        FOUND,
        /** The node is new, but the fleet is not: it may have lost its data. */
        DOUBT,
        /** The wall clock of the node, which determines expiry, stepped. */
        STEPPED,
        /** A heartbeat of a node that was admitted on this connection. */
        CHECK
    }

    /** The decision of a node about its own admission. */
    sealed interface AdmissionResult {

        /** The node may vote after the quarantine, which may be zero. */
        record Admitted(Duration quarantine, NodeHistory history) implements AdmissionResult {}

        /** The node has no marker. It may vote at once only if all configured nodes are new. */
        record New() implements AdmissionResult {}

        /** The node cannot belong to this fleet. */
        record Refused(String why) implements AdmissionResult {}

        /** The node could not decide. The previous decision remains valid. */
        record Unknown() implements AdmissionResult {}
    }

    /** Reads the history of the node without changing it. */
    Future<NodeHistory> read(NodeConnection node) {
        return node.connection()
                .send(admission().arg("").arg(nodes).arg(0).arg(0).arg(0).arg("look"))
                .map(answer -> {
                    failOnError(answer);
                    return history(answer);
                });
    }

    Future<AdmissionResult> admit(NodeConnection node, Occasion occasion, FleetHistory.Expectation expected) {
        return persistsEveryWrite(node.connection()).compose(persists -> node.connection()
                .send(admission()
                        .arg(node.facts().runId())
                        .arg(nodes)
                        .arg(persists ? 1 : 0)
                        .arg(quarantine.toMillis())
                        .arg(expected.longest().toMillis())
                        .arg(occasion.name().toLowerCase(Locale.ROOT))
                        .arg(expected.id())
                        .arg(expected.age())
                        .arg(expected.newId())
                        .arg(expected.others()))
                .map(this::toResult));
    }

    private static Request admission() {
        return Request.cmd(Command.EVALSHA)
                .arg(LuaScript.ADMIT.sha())
                .arg(3)
                .arg(MARKER)
                .arg(QUARANTINE)
                .arg(LONGEST);
    }

    private AdmissionResult toResult(Response answer) {
        failOnError(answer);
        return switch (answer.get(0).toInteger()) {
            case ADMITTED -> new AdmissionResult.Admitted(
                    Duration.ofMillis(answer.get(1).toLong()), history(answer));
            case NEW -> new AdmissionResult.New();
            default -> new AdmissionResult.Refused("belongs to a fleet of " + answer.get(1)
                    + " nodes, but quorumlock.nodes has " + nodes + "; configure the same nodes on all replicas");
        };
    }

    private static void failOnError(Response answer) {
        if (answer.get(0).toInteger() == ERROR) {
            throw new Unusable(NodeFailure.ofError(answer.get(1).toString()));
        }
    }

    private static NodeHistory history(Response answer) {
        return new NodeHistory(
                answer.get(2).toString(),
                answer.get(3).toLong(),
                Duration.ofMillis(answer.get(4).toLong()),
                NodeHistory.ages(answer.get(5).toString()));
    }

    /** Returns whether an acknowledged write survives a crash; false if the node does not report its settings. */
    private static Future<Boolean> persistsEveryWrite(RedisConnection connection) {
        return connection
                .send(Request.cmd(Command.CONFIG).arg("GET").arg(PERSISTENCE))
                .map(settings -> value(settings, "appendonly").equals("yes")
                        && value(settings, "appendfsync").equals("always")
                        && value(settings, "no-appendfsync-on-rewrite").equals("no"))
                .recover(RestartGuard::assumeFalseIfNotPermitted);
    }

    /** Passes on other errors, for example of a node that loads its data, so that the connection is retried. */
    private static Future<Boolean> assumeFalseIfNotPermitted(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        boolean notPermitted = message.contains("NOPERM") || message.contains("unknown command");
        return notPermitted ? Future.succeededFuture(false) : Future.failedFuture(cause);
    }

    /** Returns a value of a RESP3 map, or of a RESP2 list of names and values. */
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

    /** Thrown if the node could not write its marker, so that it cannot be admitted. */
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
