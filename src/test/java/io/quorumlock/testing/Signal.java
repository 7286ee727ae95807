// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A signal to another process. */
public enum Signal {
    /** Suspends the process. Its connections stay open. */
    STOP,
    /** Resumes a suspended process. */
    CONT;

    public void send(long pid) {
        try {
            int status = new ProcessBuilder("kill", "-s", name(), String.valueOf(pid))
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            if (status != 0) {
                throw new IllegalStateException("process " + pid + " has ended");
            }
            if (this == STOP) {
                Eventually.holds("process " + pid + " runs on", () -> isStopped(pid));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until one of its threads gets CPU time and sees the signal, the others run on. Only Linux tells. */
    private static boolean isStopped(long pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.allMatch(Signal::isThreadStopped);
        } catch (IOException unknown) {
            return true;
        }
    }

    private static boolean isThreadStopped(Path thread) {
        try {
            return Files.readString(thread.resolve("stat")).matches("(?s).*\\) [TtZX] .*");
        } catch (IOException ended) {
            return true;
        }
    }
}
