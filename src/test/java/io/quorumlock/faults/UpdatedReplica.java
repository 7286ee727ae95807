// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.http.OpenApiContract;
import io.quorumlock.testing.LockClient;
import io.quorumlock.testing.LockClient.Answer;
import io.quorumlock.testing.RedisServer;
import io.quorumlock.testing.ServiceProcess;
import java.io.UncheckedIOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** A replica that is replaced by another version while clients use it. Its answers must conform to its own contract. */
final class UpdatedReplica implements AutoCloseable {

    private final Map<String, String> environment;
    private volatile Version version;

    private record Version(Path jar, ServiceProcess process, LockClient client, OpenApiContract contract) {
        static Version start(Path jar, Map<String, String> environment) {
            ServiceProcess process = ServiceProcess.startReady(jar, environment);
            LockClient client = process.client();
            String contract = client.get("/openapi.yaml").response().body();
            return new Version(jar, process, client, OpenApiContract.of(contract));
        }
    }

    UpdatedReplica(Path jar, List<RedisServer> masters) {
        environment = ServiceProcess.guarded(ServiceProcess.nodes(masters), Map.of());
        version = Version.start(jar, environment);
    }

    /** Stops the replica with SIGTERM and starts the other version. */
    void replace(Path jar) {
        version.process.terminate();
        version.process.exitCode();
        version.process.close();
        version = Version.start(jar, environment);
    }

    /** Returns the jar of the running version. */
    Path jar() {
        return version.jar;
    }

    /**
     * Sends a request and checks its answer; empty if the connection failed, because the replica is being replaced. A
     * replica that does not answer in time fails the test.
     */
    Optional<Answer> send(Function<LockClient, Answer> request) {
        Version asked = version;
        Answer answer;
        try {
            answer = request.apply(asked.client);
        } catch (UncheckedIOException failed) {
            if (failed.getCause() instanceof HttpTimeoutException) {
                throw new AssertionError("no answer: " + asked.process.output(), failed);
            }
            return Optional.empty();
        }
        String method = answer.response().request().method();
        String path = answer.response().request().uri().getPath();
        asked.contract.check(
                method,
                path,
                answer.status(),
                answer.headers(),
                answer.response().body());
        return Optional.of(answer);
    }

    int nodesUp() {
        return version.client.nodesUp();
    }

    String output() {
        return version.process.output();
    }

    @Override
    public void close() {
        version.process.close();
    }
}
