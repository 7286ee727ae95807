// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A RESP client on one plain connection, independent of the client under test. */
public final class RedisCli implements AutoCloseable {
    /** The text of a null reply. */
    public static final String NIL = "(nil)";

    private final Socket socket;
    private final DataInputStream replies;

    private RedisCli(Socket socket) throws IOException {
        this.socket = socket;
        this.replies = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    }

    /** Connects to the server at {@code url}. Replies time out only if the server hangs. */
    public static RedisCli connect(URI url) {
        return connect(url, Eventually.LONGEST);
    }

    /** Connects to the server at {@code url}. Replies time out after {@code patience}. */
    public static RedisCli connect(URI url, Duration patience) {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), (int) Eventually.LONGEST.toMillis());
            socket.setSoTimeout((int) patience.toMillis());
            socket.setTcpNoDelay(true);
            return new RedisCli(socket);
        } catch (IOException e) {
            close(socket);
            throw new UncheckedIOException("no connection to " + url, e);
        }
    }

    /** Sends a command and returns its reply as a {@code String}, a {@code Long} or a {@code List} of replies. */
    public Object send(String... command) {
        try {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.write(("*" + command.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            for (String word : command) {
                byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
                request.write(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
                request.write(bytes);
                request.write('\r');
                request.write('\n');
            }
            socket.getOutputStream().write(request.toByteArray());
            return reply();
        } catch (IOException e) {
            throw new UncheckedIOException("no reply to " + command[0], e);
        }
    }

    /** Deletes all data and stops the server. It processes no other command in between. */
    void emptyAndStop() {
        try {
            socket.getOutputStream().write("FLUSHALL\r\nSHUTDOWN NOSAVE\r\n".getBytes(StandardCharsets.UTF_8));
            replies.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("the server did not stop", e);
        }
    }

    private Object reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> "(error) " + rest;
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            default -> throw new IOException("not RESP: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return NIL;
        }
        byte[] bytes = new byte[length];
        replies.readFully(bytes);
        line();
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private Object array(int length) throws IOException {
        if (length < 0) {
            return NIL;
        }
        List<Object> elements = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            elements.add(reply());
        }
        return elements;
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = replies.read(); b != '\r'; b = replies.read()) {
            if (b < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.write(b);
        }
        replies.readByte(); // the line feed
        return line.toString(StandardCharsets.UTF_8);
    }

    /** Closes the connection. */
    @Override
    public void close() {
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
