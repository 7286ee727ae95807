// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** A search for free loopback ports. */
public final class FreePorts {
    private FreePorts() {}

    /** Returns different ports. Another process may take one before the caller does. */
    public static List<Integer> find(int count) {
        List<Integer> ports = new ArrayList<>();
        List<ServerSocket> held = new ArrayList<>(); // all open at once, so that no port is returned twice
        try {
            for (int i = 0; i < count; i++) {
                held.add(new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")));
                ports.add(held.get(i).getLocalPort());
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback interface", e);
        } finally {
            held.forEach(FreePorts::close);
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
