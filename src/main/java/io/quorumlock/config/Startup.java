package io.quorumlock.config;

import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockEngine;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redis.RedisFleet;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/** Opens the fleet before the first request, and refuses to start with servers that can never form one (R2). */
@Singleton
final class Startup {
    private static final Logger LOG = Logger.getLogger(Startup.class);
    private static final Duration GRACE = Duration.ofMillis(200);

    void onStart(@Observes StartupEvent event, RedisFleet fleet, LockEngine engine, QuorumlockConfig config) {
        Duration most = config.node().connectTimeout().plus(GRACE);
        try {
            List<String> misfits = fleet.open().get(most.toMillis(), TimeUnit.MILLISECONDS);
            if (!misfits.isEmpty()) {
                fleet.close();
                throw new ConfigurationException("quorumlock.nodes: " + String.join("; ", misfits));
            }
            warmUp(engine);
        } catch (TimeoutException slow) {
            LOG.warn("some nodes have not answered yet; they join as they do");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        LOG.infof(
                "started nodes_up=%d nodes_configured=%d quorum=%d",
                fleet.up(), fleet.nodes().size(), fleet.quorum());
    }

    /** Goes the way of a request once without writing anything, so that the first one does not pay for loading classes. */
    private static void warmUp(LockEngine engine) {
        ResourceName nothing = new ResourceName("warm-up");
        engine.release(nothing, new LeaseToken("nobody-holds-this"))
                .thenCompose(released -> engine.inspect(nothing))
                .join();
    }
}
