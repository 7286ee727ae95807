// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.rnorth.ducttape.ratelimits.RateLimiter;
import org.rnorth.ducttape.ratelimits.RateLimiterBuilder;
import org.rnorth.ducttape.unreliables.Unreliables;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/** A wait strategy that waits until the Redis server in a container has loaded its data and answers. */
final class Answering extends AbstractWaitStrategy {
    private final RateLimiter pace = RateLimiterBuilder.newBuilder()
            .withRate(50, TimeUnit.SECONDS)
            .withConstantThroughput()
            .build();
    private final int port;

    Answering(int port) {
        this.port = port;
    }

    @Override
    protected void waitUntilReady() {
        URI url = URI.create("redis://" + waitStrategyTarget.getHost() + ":" + waitStrategyTarget.getMappedPort(port));
        Unreliables.retryUntilTrue(
                (int) startupTimeout.toSeconds(),
                TimeUnit.SECONDS,
                () -> pace.getWhenReady(() -> {
                    try (RedisCli cli = RedisCli.connect(url)) {
                        String reply = String.valueOf(cli.send("PING"));
                        return reply.equals("PONG") || reply.startsWith("(error) NOAUTH");
                    }
                }));
    }
}
