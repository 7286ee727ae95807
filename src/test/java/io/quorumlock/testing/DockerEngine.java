// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A check for a Docker engine that takes at most one second and logs nothing. */
final class DockerEngine {
    private static final ByteBuffer PING =
            StandardCharsets.US_ASCII.encode("GET /_ping HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n\r\n");

    private DockerEngine() {}

    static boolean answers() {
        String host = Optional.ofNullable(System.getenv("DOCKER_HOST")).orElse("unix:///var/run/docker.sock");
        return answers(URI.create(host));
    }

    static boolean answers(URI host) {
        boolean local = "unix".equals(host.getScheme());
        SocketAddress address = local
                ? UnixDomainSocketAddress.of(host.getPath())
                : new InetSocketAddress(host.getHost(), host.getPort());
        try (SocketChannel channel = local ? SocketChannel.open(StandardProtocolFamily.UNIX) : SocketChannel.open()) {
            // Closing the channel aborts a pending answer.
            return Background.supply(() -> pings(channel, address))
                    .completeOnTimeout(false, 1, TimeUnit.SECONDS)
                    .join();
        } catch (IOException e) {
            return false;
        }
    }

    /** Accepts any HTTP response, because an engine that requires TLS reports this in plain text. */
    private static boolean pings(SocketChannel channel, SocketAddress address) {
        try {
            channel.connect(address);
            channel.write(PING.duplicate());
            ByteBuffer answer = ByteBuffer.allocate(5);
            channel.read(answer);
            return StandardCharsets.US_ASCII.decode(answer.flip()).toString().startsWith("HTTP");
        } catch (IOException e) {
            return false;
        }
    }
}
