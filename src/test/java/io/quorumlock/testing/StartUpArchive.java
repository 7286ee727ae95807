// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The classes that a training run of the service has loaded, as in the container image. Integration tests start dozens of
 * processes, and loading classes is most of a start.
 */
final class StartUpArchive {
    /** Begins the JVM argument of the training run. */
    static final String TRAINING = "-XX:ArchiveClassesAtExit=";

    private static final Path OF_THIS_BUILD = trained();

    private StartUpArchive() {}

    /** Returns the JVM argument for the service of this build. */
    static String argument() {
        return "-XX:SharedArchiveFile=" + OF_THIS_BUILD;
    }

    private static Path trained() {
        Path archive = SharedFiles.newFolder().resolve("service.jsa");
        train(archive);
        return archive;
    }

    /** Runs what most tests run. The JVM writes the archive when it ends. */
    private static void train(Path archive) {
        List<RedisServer> masters = RedisServers.start(1);
        try (ServiceProcess service = ServiceProcess.on(masters, TRAINING + archive)) {
            String token = service.client().acquire("training", 1_000).token();
            service.client().extend("training", token);
            service.client().release("training", token);
            service.client().get("/q/metrics");
            String log = service.logToTheEnd();
            if (!Files.exists(archive)) {
                throw new AssertionError("no start-up archive: " + log);
            }
        } finally {
            RedisServers.close(masters);
        }
    }
}
