package io.quorumlock.simulation;

import java.io.IOException;

/** A lost connection or a refused one. It has no stack trace, which would cost more than the rest of the event. */
final class BrokenConnection extends IOException {
    private static final long serialVersionUID = 1;

    BrokenConnection(String message) {
        super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
