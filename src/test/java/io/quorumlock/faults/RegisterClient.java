// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client of the fenced register that increments a number, as a holder of a lock would. */
final class RegisterClient implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    private final PrintWriter out;

    RegisterClient(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            out = new PrintWriter(socket.getOutputStream(), true, StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the number; {@link FencedRegister#REFUSED} if a larger fencing token has been seen. */
    String read(Call lease) {
        return ask(words(lease));
    }

    /** Writes the number after the one read. */
    String write(Call lease, String read) {
        return ask(words(lease) + " " + read);
    }

    private static String words(Call lease) {
        return lease.terms().resource() + " " + lease.result().fence() + " "
                + lease.terms().token();
    }

    private String ask(String line) {
        try {
            out.println(line);
            return in.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
