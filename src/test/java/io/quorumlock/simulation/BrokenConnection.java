// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import java.io.IOException;

/**
 * The exception of a lost or refused connection. It has no stack trace, which would cost more than the rest of the
 * event.
 */
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
