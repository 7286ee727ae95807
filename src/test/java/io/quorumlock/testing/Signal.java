// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;

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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
