// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.engines.redis.SentCall;
import io.quorumlock.faults.ConnectionFault.Kind;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * One connection through a proxy, which forwards commands and replies. After a swallowed message, no later message of
 * the same connection is forwarded, as with a broken cable.
 */
final class ProxiedConnection {
    private static final byte[] PING = "*1\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LOADING =
            "-LOADING Redis is loading the dataset in memory\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final int BUFFER = 65_536;

    private final RedisProxy proxy;
    private final Socket client;
    private final Socket server;
    private final Queue<Awaited> awaited = new ConcurrentLinkedQueue<>();
    private volatile boolean requestsLost;
    private volatile boolean repliesLost;

    private record Awaited(Set<String> names, boolean loading) {}

    private static final Set<String> ANNOUNCEMENTS = Set.of("subscribe", "unsubscribe", "message");
    private static final Awaited ANNOUNCEMENT = new Awaited(Set.of("message"), false);

    ProxiedConnection(RedisProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void forwardRequests() {
        forward(client, server, this::request);
        // Held commands are delivered even if the client has closed its connection, so the connection to the server
        // closes last.
        close(server);
    }

    void forwardReplies() {
        forward(server, client, this::reply);
        proxy.forget(this);
        close(client);
        close(server);
    }

    void reset() {
        reset(client);
        reset(server);
    }

    static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException alreadyClosed) {
            // The socket is already closed.
        }
        close(socket);
    }

    private interface Step {
        void forward(RespFrames.Frame frame, OutputStream to) throws IOException, InterruptedException;
    }

    private void forward(Socket from, Socket to, Step step) {
        try {
            RespFrames frames = new RespFrames(from.getInputStream());
            OutputStream out = new BufferedOutputStream(to.getOutputStream(), BUFFER);
            while (true) {
                step.forward(frames.next(), out);
                if (!frames.hasMore()) {
                    out.flush(); // keeps batches together
                }
            }
        } catch (IOException ended) {
            // The connection has ended. The caller closes the other side.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void request(RespFrames.Frame frame, OutputStream server) throws IOException, InterruptedException {
        Set<String> names = names(frame.words());
        ConnectionFault fault = proxy.fault();
        if (fault.affects(Kind.DELAY, names)) {
            server.flush();
            fault.awaitDelay();
        } else if (fault.affects(Kind.HOLD, names)) {
            server.flush();
            fault.awaitEnd();
        } else if (fault.affects(Kind.RESET, names)) {
            reset();
        } else if (fault.affects(Kind.HALF_OPEN, names) || fault.affects(Kind.SWALLOW_REQUESTS, names)) {
            requestsLost = true;
        }
        if (!requestsLost) {
            boolean loading = fault.affects(Kind.LOADING, names);
            if (loading || Collections.disjoint(ANNOUNCEMENTS, names)) {
                awaited.add(new Awaited(names, loading));
            }
            server.write(loading ? PING : frame.bytes());
        }
    }

    private void reply(RespFrames.Frame frame, OutputStream client) throws IOException {
        Awaited command = isAnnouncement(frame) ? ANNOUNCEMENT : awaited.remove();
        ConnectionFault fault = proxy.fault();
        if (fault.affects(Kind.DROP_REPLY, command.names())) {
            reset();
        } else if (fault.affects(Kind.SWALLOW_REPLIES, command.names()) || fault.kind() == Kind.HALF_OPEN) {
            repliesLost = true;
        }
        if (!repliesLost) {
            client.write(command.loading() ? LOADING : frame.bytes());
        }
    }

    /** Announcements are no replies to commands and can arrive at any time. */
    private static boolean isAnnouncement(RespFrames.Frame frame) {
        byte type = frame.bytes()[0];
        boolean list = type == '>' || type == '*';
        return list && ANNOUNCEMENTS.contains(frame.words().get(0));
    }

    /** Returns the names of the operations, if the command runs a batch of the service, and else that of the command. */
    private static Set<String> names(List<String> words) {
        List<SentCall> calls = SentCall.in(words);
        return calls.isEmpty()
                ? Set.of(words.get(0).toLowerCase(Locale.ROOT))
                : calls.stream().map(SentCall::command).collect(Collectors.toSet());
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
