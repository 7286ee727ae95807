// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Independent, empty Redis masters for development, as child processes. They end with this JVM, unless it is killed, or
 * {@link #keepUntilClosed} moved this duty to the caller.
 */
public final class EmbeddedMasters implements AutoCloseable {
    private static final String[] OPTIONS = {"--appendonly", "no", "--maxmemory-policy", "noeviction"};

    private final TemporaryFolder folder;
    private final List<RedisProcess> processes = new ArrayList<>();
    private final Thread atExit = new Thread(this::stop, "stop-embedded-masters");

    private EmbeddedMasters(TemporaryFolder folder) {
        this.folder = folder;
    }

    /**
     * Starts {@code count} masters on free loopback ports and waits until each of them answers.
     *
     * @throws IllegalStateException if one of them cannot start; the others are stopped
     */
    public static EmbeddedMasters start(int count) {
        try {
            return started(count);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "cannot start temporary masters (" + e.getMessage()
                            + "); install redis-server, or write QUORUMLOCK_NODES;"
                            + " if the folder forbids programs (noexec), write java -Djava.io.tmpdir=folder",
                    e);
        }
    }

    private static EmbeddedMasters started(int count) {
        EmbeddedMasters masters = new EmbeddedMasters(TemporaryFolder.create());
        Runtime.getRuntime().addShutdownHook(masters.atExit);
        try {
            Path executable = RedisBinary.find(masters.folder.path());
            FreePorts.find(count).forEach(port -> masters.processes.add(masters.launch(executable, port)));
            masters.processes.forEach(RedisProcess::awaitReady);
            return masters;
        } catch (RuntimeException e) {
            masters.close();
            throw e;
        }
    }

    private RedisProcess launch(Path executable, int port) {
        return RedisProcess.launch(executable, folder.path().resolve("master-" + port), port, OPTIONS);
    }

    /** Returns the URLs of the masters, always in the same order. */
    public List<URI> urls() {
        return processes.stream().map(RedisProcess::url).toList();
    }

    List<RedisProcess> processes() {
        return List.copyOf(processes);
    }

    Path folder() {
        return folder.path();
    }

    /**
     * Leaves the stop at the end of the JVM to the caller. The hook would run beside the end of a service that still uses the
     * masters.
     */
    public void keepUntilClosed() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The hook runs already.
        }
    }

    /** Stops all masters and deletes their files. */
    @Override
    public void close() {
        stop();
        // Last, so that the JVM does not end between two masters.
        keepUntilClosed();
    }

    private synchronized void stop() {
        processes.forEach(RedisProcess::close);
        folder.close();
    }
}
