// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import io.quorumlock.embedded.FreePorts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.WaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A Redis server in a container. A restarted container keeps its port and its data. The system property
 * {@code test.redis.image} selects another version or product.
 */
final class ContainerServer implements RedisServer {
    private static final DockerImageName IMAGE =
            DockerImageName.parse(System.getProperty("test.redis.image", "redis:7.4.8-alpine"));
    private static final int REDIS_PORT = 6379;

    private final DockerClient docker = DockerClientFactory.lazyClient();
    private final WaitStrategy answering = new Answering(REDIS_PORT).withStartupTimeout(Duration.ofSeconds(20));
    private final int port = FreePorts.find(1).get(0);
    private final GenericContainer<?> container = new GenericContainer<>(IMAGE);

    private ContainerServer(String[] options) {
        Stream<String> command = Stream.of("redis-server", "--protected-mode", "no", "--dir", "/data", "--save", "");
        container
                .withCommand(Stream.concat(command, Stream.of(options)).toArray(String[]::new))
                .withExposedPorts(REDIS_PORT)
                .waitingFor(answering)
                .setPortBindings(List.of(port + ":" + REDIS_PORT)); // otherwise each start would use another port
    }

    static RedisServer started(String... options) {
        ContainerServer server = new ContainerServer(options);
        try {
            server.container.start();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public URI url() {
        return URI.create("redis://" + container.getHost() + ":" + port);
    }

    @Override
    public void start() {
        if (!runs()) {
            docker.startContainerCmd(container.getContainerId()).exec();
            answering.waitUntilReady(container);
        }
    }

    @Override
    public void kill() {
        if (runs()) {
            docker.killContainerCmd(container.getContainerId()).exec();
            docker.waitContainerCmd(container.getContainerId())
                    .exec(new WaitContainerResultCallback())
                    .awaitStatusCode(10, TimeUnit.SECONDS);
        }
    }

    @Override
    public void suspend() {
        docker.pauseContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void resume() {
        String id = container.getContainerId();
        // Resuming a running server must do nothing, as with a process.
        if (Boolean.TRUE.equals(docker.inspectContainerCmd(id).exec().getState().getPaused())) {
            docker.unpauseContainerCmd(id).exec();
        }
    }

    @Override
    public void close() {
        container.stop();
    }

    private boolean runs() {
        return Boolean.TRUE.equals(docker.inspectContainerCmd(container.getContainerId())
                .exec()
                .getState()
                .getRunning());
    }
}
