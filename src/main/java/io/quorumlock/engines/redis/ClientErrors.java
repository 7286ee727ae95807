// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.fleet.ServerFailure;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The classification of error replies of Redis, and of errors of its client library. */
public final class ClientErrors {
    /** The message of the library's parser for bytes that are not Redis protocol. */
    private static final String NOT_REDIS = "ILLEGAL_STATE";

    private static final String NO_TLS = "its port has no TLS";
    private static final String OTHER_PROTOCOL = "its answer is not of Redis";
    private static final String CLOSED = "the server closed the connection";

    /** Plain words for messages of the network library and of the JVM that match the key; the first match counts. */
    private static final List<Map.Entry<String, String>> PLAIN_WORDS = List.of(
            Map.entry("connection refused", "connection refused"),
            Map.entry("reset by peer|closed", CLOSED),
            Map.entry("timed out", "the server does not answer"),
            Map.entry("no route to host", "no route to the host"),
            Map.entry("network is unreachable", "the network is unreachable"),
            Map.entry(
                    "unable to find valid certification path",
                    "its certificate is of an unknown authority; set QUORUMLOCK_NODE_CA_FILE"),
            Map.entry("max number of clients reached", "ERR max number of clients reached; raise maxclients"),
            Map.entry("WRONGPASS", "wrong password or user; write redis://user:password@host"),
            Map.entry("NOAUTH", "it asks for a password; write redis://:password@host, or redis://user:password@host"),
            Map.entry("not an SSL/TLS record", NO_TLS),
            Map.entry(NOT_REDIS, OTHER_PROTOCOL));

    /** The last texts are the messages of Redis 6.2, and of Redis 7.2 and Valkey, for a forbidden command in a script. */
    private static final List<String> NOT_ALLOWED =
            List.of("NOPERM", "WRONGPASS", "The user executing the script", "ACL failure in script");

    private ClientErrors() {}

    /** Classifies an error reply of Redis by its error code. */
    public static ServerFailure ofReply(String error) {
        for (ServerFailure failure : ServerFailure.values()) {
            if (error.contains(failure.name()) && failure != ServerFailure.ERROR) {
                return failure;
            }
        }
        return NOT_ALLOWED.stream().anyMatch(error::contains) ? ServerFailure.NOAUTH : ServerFailure.ERROR;
    }

    public static ServerFailure reason(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return ServerFailure.TIMEOUT;
        }
        if (cause instanceof IOException) {
            return ServerFailure.DISCONNECTED;
        }
        String message = String.valueOf(cause.getMessage());
        if (message.contains(NOT_REDIS) || cause instanceof NumberFormatException) {
            return ServerFailure.GARBAGE;
        }
        return message.contains("CLOSED") || message.contains("closed") ? ServerFailure.DISCONNECTED : ofReply(message);
    }

    /**
     * Returns a message for operators. The library's messages contain addresses and Redis errors, but no credentials.
     */
    public static Optional<String> detail(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof UnknownHostException) {
            return Optional.of("unknown host " + root.getMessage());
        }
        return Stream.of(root.getMessage(), cause.getMessage())
                .filter(Objects::nonNull)
                .findFirst()
                .map(ClientErrors::firstError)
                .map(ClientErrors::plain);
    }

    /** Replaces messages that name system calls, classes or an address that is shown anyway. */
    private static String plain(String message) {
        return PLAIN_WORDS.stream()
                .filter(words -> message.matches("(?is).*(" + words.getKey() + ").*"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(message);
    }

    /**
     * A batch fails with a line for each command, with its number. Redis appends the arguments of an unknown command, which may
     * be a whole script.
     */
    private static String firstError(String message) {
        return message.lines()
                .findFirst()
                .orElse("")
                .replaceFirst("^([A-Z]+) \\[\\d+] ", "$1 ")
                .replaceFirst(
                        "(unknown command\\W+\\w+\\W).*",
                        "$1; permit the commands that SECURITY.md lists, under their own names");
    }

    /** Returns the message about a failed connection, with a hint if the address may have the wrong scheme. */
    public static Optional<String> detailOfConnect(Throwable cause, boolean encrypted) {
        return detail(cause).map(text -> {
            // How a server answers the wrong protocol depends on its version and on random bytes of the handshake.
            if (encrypted) {
                return cause instanceof TimeoutException || text.equals(NO_TLS) || text.equals(CLOSED)
                        ? text + "; write redis:// if the server has no TLS"
                        : text;
            }
            return text.equals(CLOSED) || text.equals(OTHER_PROTOCOL)
                    ? text + "; write rediss:// if the server has TLS"
                    : text;
        });
    }
}
