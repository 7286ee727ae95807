// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.vertx.http.HttpServerStart;
import io.quorumlock.core.fleet.Fleet;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockEngine;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.OpenRequests;
import io.quorumlock.http.RequestLimiter;
import io.quorumlock.settings.BindAddressCheck;
import io.quorumlock.settings.NamesCheck;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/** The start-up: connects to the masters before the first request, and fails if they can never form a fleet (R2). */
@Singleton
final class Startup {
    private static final Logger LOG = Logger.getLogger(Startup.class);
    /** The maximum wait for slow masters. After it the service starts without a quorum and keeps connecting. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CheckedSettings settings;
    private final Duration shutdownDelay;
    private final String revision;
    private final Engine engine;

    /** @param shutdownDelay time from failed readiness to the first rejected request */
    Startup(
            CheckedSettings settings,
            @ConfigProperty(name = "quarkus.shutdown.delay", defaultValue = "0s") Duration shutdownDelay,
            @ConfigProperty(name = "quorumlock-build.revision") String revision,
            Engine engine) {
        this.settings = settings;
        this.revision = revision;
        this.shutdownDelay = shutdownDelay;
        this.engine = engine;
    }

    void onStart(@Observes StartupEvent event, @All List<OpenRequests> open, RequestLimiter limiter) {
        BindAddressCheck.warning(settings.config.security(), ConfigProvider.getConfig())
                .ifPresent(LOG::warn);
        settings.unusedTrial().ifPresent(LOG::warn);
        NamesCheck.ofClients(System.getenv().keySet()).forEach(LOG::warn);
        CompletableFuture<Void> terminated = new CompletableFuture<>();
        // The shutdown hook of Quarkus waits for the end of the start, and for requests in flight. This hook ends both.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            terminated.completeExceptionally(new IllegalStateException(StartErrors.TERMINATED));
                            endWaitingRequests(open, limiter);
                        },
                        "end-waiting-requests"));
        Backend.Connections connections = engine.backend.connections();
        CompletableFuture<List<String>> opened = connections.open(PATIENCE);
        CompletableFuture.anyOf(opened, terminated).join();
        List<String> misfits = opened.join();
        if (!misfits.isEmpty()) {
            connections.close();
            throw new ConfigurationException("QUORUMLOCK_NODES: " + String.join("; ", misfits));
        }
        CompletableFuture<Void> warm = connections.firstQuorum().thenCompose(reached -> warmUp(engine.queues));
        engine.context.scheduler().after(PATIENCE, () -> warm.complete(null));
        CompletableFuture.anyOf(warm, terminated).join();
        Fleet fleet = engine.backend.fleet();
        LOG.infof(
                "started nodes_up=%d nodes_configured=%d quorum=%d revision=%s",
                fleet.up(), fleet.servers().size(), fleet.quorum(), revision);
        connections.started();
        StartErrors.startEnded();
    }

    /** Logs the address of the page in a trial, also in development mode. */
    void onServer(@ObservesAsync HttpServerStart server) {
        int port = server.options().getPort();
        if (settings.wiring.isTrial() && port > 0) {
            LOG.infof("This is a trial: its locks end with it. Open http://localhost:%d/", port);
        }
    }

    private void endWaitingRequests(List<OpenRequests> open, RequestLimiter limiter) {
        LOG.info("stopping, all leases stay valid");
        try {
            open.forEach(OpenRequests::end);
            EventLoop.awaitClosed("queues", engine.queues.close());
            engine.context.scheduler().after(shutdownDelay, limiter::end);
        } catch (RejectedExecutionException loopHasEnded) {
            LOG.debug("event loop stopped before waiting requests ended");
        }
    }

    /** Runs two requests that write nothing, so that the classes are loaded before the first client. */
    private static CompletableFuture<Void> warmUp(LockEngine engine) {
        ResourceName nothing = new ResourceName("warm-up");
        return engine.release(nothing, new LeaseToken("nobody-holds-this"))
                .thenCompose(released -> engine.inspect(nothing))
                .thenAccept(free -> {});
    }
}
