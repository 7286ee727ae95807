package io.quorumlock.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A readiness check of a Redis server, over a plain socket. */
final class Probe {
    private static final int PATIENCE_MS = 500;
    // The process id detects another server that took the port.
    private static final String REQUEST = "PING\r\nINFO server\r\nQUIT\r\n";

    private Probe() {}

    /** Returns whether the server with this process id answers. A server that requires a password is ready. */
    static boolean answers(int port, long pid) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE_MS);
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.startsWith("-NOAUTH")
                    || answer.startsWith("+PONG") && answer.contains("process_id:" + pid + "\r\n");
        } catch (IOException e) {
            return false;
        }
    }
}
