// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testcontainers;

import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A container with the service and five temporary masters, for tests. It has no API keys, and all locks end with it. Other
 * settings of the service are variables of its environment: {@code withEnv("QUORUMLOCK_TTL_MAX", "10s")}.
 */
public final class QuorumlockContainer extends GenericContainer<QuorumlockContainer> {
    private static final DockerImageName LOCAL = DockerImageName.parse("quorumlock");
    private static final DockerImageName PUBLISHED = DockerImageName.parse("ghcr.io/quorumlock/quorumlock");
    private static final int PORT = 8080;

    /**
     * Creates a container, which is not started.
     *
     * @param image the image of the service, for example {@code quorumlock:0.1.0}
     */
    public QuorumlockContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /**
     * Creates a container of an image, which is not started.
     *
     * @throws IllegalStateException for an image with another name that is not declared as a substitute for it
     */
    public QuorumlockContainer(DockerImageName image) {
        super(image);
        image.assertCompatibleWith(LOCAL, PUBLISHED);
        withEnv("QUORUMLOCK_EMBEDDED", "true");
        withExposedPorts(PORT);
        waitingFor(Wait.forHttp("/q/health/ready").forPort(PORT));
    }

    /** Returns the URL of the service for clients outside of containers. */
    public String getUrl() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
    }
}
