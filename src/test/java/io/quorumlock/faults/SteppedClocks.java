// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Shifted wall clocks of single processes, by a small preloaded library. Needs a C compiler. */
final class SteppedClocks {
    private static final int BYTES = Long.BYTES;

    private final Path folder;
    private final boolean available;
    private final Map<Integer, MappedByteBuffer> offsets = new HashMap<>();

    SteppedClocks(Path folder) {
        this.folder = folder.toAbsolutePath();
        this.available = compile();
    }

    boolean areAvailable() {
        return available;
    }

    /** Returns a wrapper of an executable that runs it with its own clock. */
    UnaryOperator<Path> wrapper(int master) {
        return executable -> available ? wrap(executable, master) : executable;
    }

    /** Sets the difference between the clock and the true time. */
    void set(int master, Duration offset) {
        offsets.get(master).putLong(0, offset.toNanos());
    }

    private Path wrap(Path executable, int master) {
        Path offset = folder.resolve("offset-" + master);
        Path script = folder.resolve("redis-server-" + master);
        try (FileChannel file = FileChannel.open(
                offset, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            offsets.put(master, file.map(MapMode.READ_WRITE, 0, BYTES));
            offsets.get(master).order(ByteOrder.nativeOrder());
            Files.writeString(
                    script,
                    "#!/bin/sh\nLD_PRELOAD='%s' CLOCK_OFFSET='%s' exec '%s' \"$@\"\n"
                            .formatted(library(), offset, executable));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!script.toFile().setExecutable(true)) {
            throw new IllegalStateException("cannot make " + script + " executable");
        }
        return script;
    }

    private Path library() {
        return folder.resolve("clock.so");
    }

    private boolean compile() {
        Path source = folder.resolve("clock.c");
        try (InputStream in = SteppedClocks.class.getResourceAsStream("/faults/clock.c")) {
            Files.createDirectories(folder);
            Files.write(source, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try {
            return new ProcessBuilder(List.of(
                                    "cc",
                                    "-shared",
                                    "-fPIC",
                                    "-O2",
                                    "-o",
                                    library().toString(),
                                    source.toString()))
                            .inheritIO()
                            .start()
                            .onExit()
                            .join()
                            .exitValue()
                    == 0;
        } catch (IOException noCompiler) {
            return false;
        }
    }
}
