package io.quorumlock.embedded;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks over a plain socket whether a server is ready. */
final class Probe {
    private static final int PATIENCE_MS = 500;
    // The process id tells our server from a stranger who was faster to take the port.
    private static final String QUESTION = "PING\r\nINFO server\r\nQUIT\r\n";

    private Probe() {}

    /** Says whether the server {@code pid} answers on {@code port}; one that wants a password counts as ready. */
    static boolean answers(int port, long pid) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), PATIENCE_MS);
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write(QUESTION.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.startsWith("-NOAUTH")
                    || answer.startsWith("+PONG") && answer.contains("process_id:" + pid + "\r\n");
        } catch (IOException e) {
            return false;
        }
    }
}
