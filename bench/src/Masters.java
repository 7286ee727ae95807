package io.quorumlock.bench;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.RedisBinary;
import io.quorumlock.embedded.RedisProcess;
import io.quorumlock.embedded.TemporaryFolder;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs five empty masters that keep nothing on disk, each a process that ends with this one. */
final class Masters implements AutoCloseable {
    private static final int COUNT = 5;
    private static final int TRIES = 3;

    private final TemporaryFolder folder = TemporaryFolder.create();
    private final List<RedisProcess> processes = new ArrayList<>();

    private Masters() {}

    static Masters start() {
        Masters masters = new Masters();
        try {
            Path executable = RedisBinary.find(masters.folder.path());
            while (masters.processes.size() < COUNT) {
                masters.processes.add(masters.onFreePort(executable, TRIES));
            }
            return masters;
        } catch (RuntimeException e) {
            masters.close();
            throw e;
        }
    }

    /** Another process may be faster to take the port. */
    private RedisProcess onFreePort(Path executable, int tries) {
        int port = FreePorts.find(1).get(0);
        try {
            Path own = folder.path().resolve("master-" + port);
            return RedisProcess.start(executable, own, port, "--appendonly", "no");
        } catch (IllegalStateException e) {
            if (tries == 1) {
                throw e;
            }
            return onFreePort(executable, tries - 1);
        }
    }

    List<URI> urls() {
        return processes.stream().map(RedisProcess::url).toList();
    }

    boolean areAlive() {
        return processes.stream().allMatch(RedisProcess::isAlive);
    }

    Stream<ProcessHandle> handles() {
        return processes.stream().map(process -> ProcessHandle.of(process.pid()).orElseThrow());
    }

    /** Drops all locks, so that no part pays for another's. */
    void empty() {
        for (URI url : urls()) {
            try (Resp master = Resp.connect(url)) {
                master.ask("FLUSHALL");
            }
        }
    }

    String version() {
        try (Resp master = Resp.connect(urls().get(0))) {
            return master.ask("INFO server")
                    .lines()
                    .filter(line -> line.startsWith("redis_version:"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        }
    }

    @Override
    public void close() {
        processes.forEach(RedisProcess::close);
        folder.close();
    }
}
