// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.RedisProcess;
import io.quorumlock.embedded.TemporaryFolder;
import java.net.URI;
import java.nio.file.Path;

/** A Redis server as a process of this machine. */
final class ProcessServer implements RedisServer {
    private final Path executable;
    private final String[] options;
    private final TemporaryFolder folder = TemporaryFolder.create();
    private RedisProcess process;

    private ProcessServer(Path executable, String[] options) {
        this.executable = executable;
        this.options = options;
    }

    static RedisServer started(Path executable, String... options) {
        ProcessServer server = new ProcessServer(executable, options);
        try {
            server.process = RedisProcess.start(
                    executable, server.folder.path(), FreePorts.find(1).get(0), options);
            return server;
        } catch (RuntimeException e) {
            server.folder.close();
            throw e;
        }
    }

    @Override
    public URI url() {
        return process.url();
    }

    @Override
    public void start() {
        if (!process.isAlive()) {
            process =
                    RedisProcess.start(executable, folder.path(), process.url().getPort(), options);
        }
    }

    @Override
    public void kill() {
        process.close();
    }

    @Override
    public void suspend() {
        send(Signal.STOP);
    }

    @Override
    public void resume() {
        send(Signal.CONT);
    }

    private void send(Signal signal) {
        try {
            signal.send(process.pid());
        } catch (IllegalStateException ended) {
            throw new IllegalStateException(ended.getMessage() + ", its log ends with: " + process.output(), ended);
        }
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
