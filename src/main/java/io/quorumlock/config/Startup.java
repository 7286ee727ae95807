package io.quorumlock.config;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.Requests;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.Streams;
import io.quorumlock.redis.RedisFleet;
import io.quorumlock.session.SessionRoom;
import io.quorumlock.time.Surroundings;
import io.quorumlock.waiting.WaitingRoom;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** Opens the fleet before the first request, and refuses to start with servers that can never form one (R2). */
@Singleton
final class Startup {
    private static final Logger LOG = Logger.getLogger(Startup.class);
    /** With nodes that are slow at first; after it the service starts as it is, maybe not ready, and keeps trying. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final QuorumlockConfig config;
    private final ClientCertificates certificates;
    private final Duration notice;
    private final Surroundings surroundings;

    /** @param notice for load balancers, from the readiness that ends to the first request that is refused */
    Startup(
            QuorumlockConfig config,
            ClientCertificates certificates,
            @ConfigProperty(name = "quarkus.shutdown.delay", defaultValue = "0s") Duration notice,
            Surroundings surroundings) {
        this.config = config;
        this.certificates = certificates;
        this.notice = notice;
        this.surroundings = surroundings;
    }

    void onStart(
            @Observes StartupEvent event,
            RedisFleet fleet,
            WaitingRoom engine,
            SessionRoom sessions,
            Streams streams,
            Requests requests) {
        certificates.check();
        List<String> misfits = fleet.open(PATIENCE).join();
        if (!misfits.isEmpty()) {
            fleet.close();
            throw new ConfigurationException("quorumlock.nodes: " + String.join("; ", misfits));
        }
        fleet.firstQuorum()
                .thenCompose(reached -> warmUp(engine))
                .completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        // Beside the framework's own hook, which lets requests under way end: those who wait would take their time.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> sendAway(engine, sessions, streams, requests), "send-away"));
        LOG.infof(
                "started nodes_up=%d nodes_configured=%d quorum=%d",
                fleet.up(), fleet.nodes().size(), fleet.quorum());
        Exposure.warning(config.security(), ConfigProvider.getConfig()).ifPresent(LOG::warn);
    }

    private void sendAway(WaitingRoom room, SessionRoom sessions, Streams streams, Requests requests) {
        try {
            streams.end();
            sessions.close().join();
            room.close().join();
            surroundings.scheduler().after(notice, requests::end);
        } catch (RejectedExecutionException loopHasEnded) {
            LOG.debug("nobody waits any more");
        }
    }

    /** Goes the way of a request once without writing anything, so that the first one does not pay for loading classes. */
    private static CompletableFuture<Void> warmUp(LockEngine engine) {
        ResourceName nothing = new ResourceName("warm-up");
        return engine.release(nothing, new LeaseToken("nobody-holds-this"))
                .thenCompose(released -> engine.inspect(nothing))
                .thenAccept(free -> {});
    }
}
