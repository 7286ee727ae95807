// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.util.concurrent.atomic.AtomicReference;

/** A reserved port on which this process listens more than once. */
public final class ReservedPort {
    /** A server that listens. */
    @FunctionalInterface
    public interface Binding<T> {
        T open() throws IOException;
    }

    private ReservedPort() {}

    /**
     * Listens as soon as the socket before has gone. After its end, a thread that still accepts and a process that is just
     * being started have a copy for a moment.
     */
    public static <T> T listen(Binding<T> binding) {
        AtomicReference<T> server = new AtomicReference<>();
        Eventually.holds("the reserved port is free", () -> {
            try {
                server.set(binding.open());
                return true;
            } catch (BindException inUse) {
                return false;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        return server.get();
    }
}
