package io.quorumlock.bench;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Speaks Redis' protocol, for what is not measured. */
final class Resp implements AutoCloseable {
    private static final int PATIENCE_MS = 30_000;

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

    /** Writes a command down. */
    static void command(StringBuilder text, String... words) {
        text.append('*').append(words.length).append("\r\n");
        for (String word : words) {
            text.append('$').append(word.length()).append("\r\n").append(word).append("\r\n");
        }
    }

    /** Sends a command; its reply is a status, a number or a text. */
    String ask(String... words) {
        try {
            StringBuilder command = new StringBuilder();
            command(command, words);
            socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.US_ASCII));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            String line = line(in);
            if (line.startsWith("-")) {
                throw new IllegalStateException(words[0] + ": " + line);
            }
            if (!line.startsWith("$")) {
                return line.substring(1);
            }
            if (line.equals("$-1")) {
                return "";
            }
            byte[] text = new byte[Integer.parseInt(line.substring(1))];
            in.readFully(text);
            line(in);
            return new String(text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("no reply to " + words[0], e);
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
