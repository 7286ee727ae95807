// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Reads the address of a client, for the audit log and for the count of wrong keys. Behind a trusted proxy it is the address
 * that this proxy appended to the header. The client may have sent everything before it.
 */
@Singleton
final class ClientAddress {
    private static final String LOCAL = "local";
    private static final String UNKNOWN = "unknown";
    private static final String FOR = "for=";

    private final boolean standardHeader;

    /** @param standardHeader whether Forwarded is read (RFC 7239), instead of X-Forwarded-For */
    ClientAddress(
            @ConfigProperty(name = "quarkus.http.proxy.allow-forwarded", defaultValue = "false")
                    boolean standardHeader) {
        this.standardHeader = standardHeader;
    }

    /** Returns the address without a port; that of the proxy if it appended none. */
    String of(HttpServerRequest request) {
        SocketAddress peer = request.connection().remoteAddress();
        return isForwarded(request, peer) ? appended(request).orElseGet(() -> text(peer)) : text(peer);
    }

    /**
     * The framework replaces the address of the connection only if proxy forwarding is on and the proxy is trusted. The new one
     * may be equal, because the client can choose it.
     */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isForwarded(HttpServerRequest request, SocketAddress peer) {
        try {
            return peer != request.remoteAddress();
        } catch (RuntimeException malformedHeader) {
            return true;
        }
    }

    private Optional<String> appended(HttpServerRequest request) {
        List<String> headers = request.headers().getAll(standardHeader ? "Forwarded" : "X-Forwarded-For");
        if (headers.isEmpty()) {
            return Optional.empty();
        }
        String last = headers.get(headers.size() - 1);
        String element = last.substring(last.lastIndexOf(',') + 1).strip();
        return Optional.of(withoutPort(standardHeader ? forParameter(element) : element))
                .filter(address -> !address.isEmpty() && !address.equalsIgnoreCase(UNKNOWN));
    }

    private static String forParameter(String element) {
        for (String parameter : element.split(";")) {
            String pair = parameter.strip();
            if (pair.toLowerCase(Locale.ROOT).startsWith(FOR)) {
                return pair.substring(FOR.length()).replace("\"", "");
            }
        }
        return "";
    }

    private static String withoutPort(String address) {
        if (address.startsWith("[")) {
            int end = address.indexOf(']');
            return end < 0 ? "" : address.substring(1, end);
        }
        int colon = address.indexOf(':');
        return colon >= 0 && colon == address.lastIndexOf(':') ? address.substring(0, colon) : address;
    }

    private static String text(SocketAddress address) {
        return Optional.ofNullable(address.hostAddress()).orElse(LOCAL);
    }
}
