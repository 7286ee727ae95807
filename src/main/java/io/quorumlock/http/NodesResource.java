// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerStatus;
import io.quorumlock.core.loop.LoopStalls;
import io.quorumlock.http.keys.Verb;
import io.quorumlock.settings.EngineKind;
import io.quorumlock.settings.QuorumlockConfig;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.common.net.HostName;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The masters, or the servers of a store, as this replica sees them. */
@Path("/nodes")
@Singleton
public final class NodesResource {
    private final Fleet fleet;
    private final LoopStalls stalls;
    private final ReplicaName replica;

    /** The names by which people tell replicas and installations apart. */
    private record ReplicaName(
            Optional<String> environment,
            String replica,
            String version,
            String revision,
            Optional<String> revisionDate,
            String engine) {}

    NodesResource(
            Fleet fleet,
            LoopStalls stalls,
            @ConfigProperty(name = "quarkus.application.version") String version,
            @ConfigProperty(name = "quorumlock-build.revision") String revision,
            @ConfigProperty(name = "quorumlock-build.date") Optional<String> revisionDate,
            QuorumlockConfig config) {
        this.fleet = fleet;
        this.stalls = stalls;
        this.replica = new ReplicaName(
                config.name(),
                HostName.getHostName(),
                version,
                revision,
                revisionDate,
                EngineKind.of(config).toString());
    }

    /** Returns the state of all masters. */
    @GET
    @NonBlocking
    public Answer nodes(NoFields none, RoutingContext context) {
        Access.of(context).requireOverall(Verb.READ);
        return Answer.of(200, NodesBody.of(replica, stalls.recent(), fleet));
    }

    /**
     * The JSON of this replica and of the state of all masters.
     *
     * @param environment the configured name; absent if there is none
     * @param replica the host name
     * @param revision the commit of the build, or {@code without-git}
     * @param stalledMs the longest recent stall of this replica, during which servers seem to be slow; absent if there was none
     * @param tolerance number of further masters that may fail before the majority is lost
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record NodesBody(
            Optional<String> environment,
            String replica,
            String version,
            String revision,
            Optional<String> revisionDate,
            String engine,
            Optional<Long> stalledMs,
            int quorum,
            int up,
            int total,
            int tolerance,
            List<NodeBody> nodes) {
        private static final double NANOS_PER_MILLI = 1e6;

        static NodesBody of(ReplicaName name, Optional<Duration> stalled, Fleet fleet) {
            List<ServerStatus> nodes = fleet.servers();
            int up = (int) nodes.stream().filter(ServerStatus::up).count();
            return new NodesBody(
                    name.environment(),
                    name.replica(),
                    name.version(),
                    name.revision(),
                    name.revisionDate(),
                    name.engine(),
                    stalled.map(Duration::toMillis),
                    fleet.quorum(),
                    up,
                    nodes.size(),
                    fleet.tolerance(up),
                    nodes.stream().map(NodeBody::of).toList());
        }

        /** The JSON of the state of one master. */
        @JsonInclude(JsonInclude.Include.NON_ABSENT)
        record NodeBody(
                String node,
                String address,
                boolean up,
                Optional<Double> latencyMs,
                int restarts,
                Optional<String> problem,
                Optional<String> detail,
                Optional<Long> quarantineMs,
                Optional<Double> clockOffsetMs,
                Optional<String> role) {
            static NodeBody of(ServerStatus status) {
                return new NodeBody(
                        status.alias(),
                        status.address(),
                        status.up(),
                        status.latency().map(NodeBody::millis),
                        status.restarts(),
                        status.problem().map(ServerFailure::label),
                        status.detail(),
                        status.quarantine().map(TimeFormat::millis),
                        status.clockOffset().map(NodeBody::millis),
                        status.role());
            }

            private static double millis(Duration duration) {
                return Math.round(duration.toNanos() / NANOS_PER_MILLI * 100) / 100.0;
            }
        }
    }
}
