package io.quorumlock.config;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.events.OpenStreams;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.RequestLoad;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redis.RedisFleet;
import io.quorumlock.session.SessionManager;
import io.quorumlock.time.EngineContext;
import io.quorumlock.waiting.WaitQueues;
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
    private final EngineContext engineContext;

    /** @param notice for load balancers, from the readiness that ends to the first request that is refused */
    Startup(
            QuorumlockConfig config,
            ClientCertificates certificates,
            @ConfigProperty(name = "quarkus.shutdown.delay", defaultValue = "0s") Duration notice,
            EngineContext engineContext) {
        this.config = config;
        this.certificates = certificates;
        this.notice = notice;
        this.engineContext = engineContext;
    }

    void onStart(
            @Observes StartupEvent event,
            RedisFleet fleet,
            WaitQueues engine,
            SessionManager sessions,
            OpenStreams streams,
            RequestLoad requests) {
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
        BindAddressCheck.warning(config.security(), ConfigProvider.getConfig()).ifPresent(LOG::warn);
    }

    private void sendAway(WaitQueues room, SessionManager sessions, OpenStreams streams, RequestLoad requests) {
        try {
            streams.end();
            sessions.close().join();
            room.close().join();
            engineContext.scheduler().after(notice, requests::end);
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
