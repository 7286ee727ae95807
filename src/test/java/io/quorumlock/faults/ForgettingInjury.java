// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.testing.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A fault in which a master loses the latest acknowledged data although it is configured to keep all: it appended
 * nothing for a while, or its data folder was restored from a copy. The two masters with weaker persistence are
 * suspended until shortly before, so that there are leases on a bare majority that includes this master (R9).
 */
final class ForgettingInjury extends MasterInjury {
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(3);
    /** The longest time before and after the suspension of the others. */
    static final Duration LONGEST_AROUND = HEARTBEATS.plus(LONGEST_RETURN);

    private static final String REWRITING = "aof_rewrite_in_progress:";
    private static final List<Integer> HANGING = List.of(Masters.EVERY_SECOND, Masters.NONE);

    private final boolean restores;
    private final List<RedisServer> others;
    private final String late;
    private Path copy = Path.of("");

    ForgettingInjury(PlannedFault fault, Field field) {
        super(fault, field);
        restores = fault.kind() == FaultKind.RESTORE_FOLDER;
        others = HANGING.stream().map(field.masters()::server).toList();
        late = "late-key-" + fault.number();
    }

    /** Disables the rewriting of the log while it is copied, so that the copied files are consistent. */
    @Override
    void hit() {
        if (restores) {
            server.cli("CONFIG", "SET", "auto-aof-rewrite-percentage", "0");
            while (!info("persistence", REWRITING).equals(REWRITING + "0")) {
                Pause.of(LOOK);
            }
            copy = data().resolveSibling(data().getFileName() + "-copy");
            copy(data(), copy);
        } else {
            server.cli("CONFIG", "SET", "appendonly", "no");
        }
        server.cli("SET", late, "1");
        awaitHeartbeats();
        others.forEach(RedisServer::suspend);
    }

    @Override
    public void end() {
        others.forEach(RedisServer::resume);
        long latest = System.nanoTime() + LONGEST_RETURN.toNanos();
        while (!HANGING.stream().allMatch(watch::isUp) && System.nanoTime() < latest) {
            Pause.of(LOOK);
        }
        Path data = restores ? data() : Path.of("");
        server.kill();
        if (restores) {
            delete(data);
            copy(copy, data);
            delete(copy);
        }
        server.start();
    }

    @Override
    public Optional<String> evidence() {
        String quarantined = seen("quarantined").isPresent() ? ", quarantined" : "";
        return Optional.of("data lost" + quarantined)
                .filter(any -> server.cli("EXISTS", late).equals("0"));
    }

    /** Returns the log: a folder of files since Redis 7, before that one file. */
    private Path data() {
        String answer = server.cli("CONFIG", "GET", "dir");
        Path folder = Path.of(answer.substring("[dir, ".length(), answer.length() - 1));
        return Stream.of("appendonlydir", "appendonly.aof")
                .map(folder::resolve)
                .filter(Files::exists)
                .findFirst()
                .orElseThrow();
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> paths = Files.walk(from)) {
            for (Path path : paths.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path data) {
        try (Stream<Path> paths = Files.walk(data)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
