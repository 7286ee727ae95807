package io.quorumlock.bench;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Speaks Redis' inline protocol, for what is not measured. */
final class Resp implements AutoCloseable {
    private static final int PATIENCE_MS = 10_000;

    private final Socket socket;

    private Resp(Socket socket) {
        this.socket = socket;
    }

    static Resp connect(URI url) {
        try {
            Socket socket = new Socket(url.getHost(), url.getPort());
            socket.setSoTimeout(PATIENCE_MS);
            return new Resp(socket);
        } catch (IOException e) {
            throw new UncheckedIOException("no connection to " + url, e);
        }
    }

    /** Sends a command without spaces in its words; its reply is a status or a text. */
    String ask(String command) {
        try {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            String line = line(in);
            if (line.startsWith("-")) {
                throw new IllegalStateException(command + ": " + line);
            }
            if (!line.startsWith("$")) {
                return line.substring(1);
            }
            byte[] text = new byte[Integer.parseInt(line.substring(1))];
            in.readFully(text);
            line(in);
            return new String(text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("no reply to " + command, e);
        }
    }

    private static String line(DataInputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
