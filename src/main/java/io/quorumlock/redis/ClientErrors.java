// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.lock.MasterFailure;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** The classification of errors of the Redis client library. */
final class ClientErrors {
    /** The message of the library's parser for bytes that are not Redis protocol. */
    private static final String NOT_REDIS = "ILLEGAL_STATE";

    private ClientErrors() {}

    static MasterFailure reason(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return MasterFailure.TIMEOUT;
        }
        if (cause instanceof IOException) {
            return MasterFailure.DISCONNECTED;
        }
        String message = String.valueOf(cause.getMessage());
        if (message.contains(NOT_REDIS) || cause instanceof NumberFormatException) {
            return MasterFailure.GARBAGE;
        }
        return message.contains("CLOSED") || message.contains("closed")
                ? MasterFailure.DISCONNECTED
                : MasterFailure.ofError(message);
    }

    /**
     * Returns a message for operators. The library's messages contain addresses and Redis errors, but no credentials.
     */
    static Optional<String> detail(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = cause.getMessage();
        String reason = root.getMessage();
        if (root instanceof UnknownHostException) {
            return Optional.of("unknown host " + reason);
        }
        boolean more = message != null && reason != null && !message.contains(reason);
        return Optional.ofNullable(more ? message + ": " + reason : message);
    }

    /** Returns the message about a failed connection, with a hint if the address may have the wrong scheme. */
    static Optional<String> detailOfConnect(Throwable cause, boolean encrypted) {
        return detail(cause).map(text -> {
            if (encrypted) {
                return cause instanceof TimeoutException ? text + "; write redis:// if the server has no TLS" : text;
            }
            return text.matches("(?i).*(reset by peer|closed).*")
                    ? text + "; write rediss:// if the server has TLS"
                    : text;
        });
    }
}
