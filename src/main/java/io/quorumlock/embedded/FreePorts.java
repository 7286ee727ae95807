// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A search for free loopback ports. A port stays reserved until this process ends, also while no server has it: searches of
 * all processes skip it.
 */
public final class FreePorts {
    /** Below the ports that systems give to connections and to servers without a fixed port. */
    private static final int FIRST = 15_000;

    private static final int COUNT = 15_000;

    /** The distance of the ports with which two processes begin, if they were started one after the other. */
    private static final int BETWEEN_PROCESSES = 97;

    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * BETWEEN_PROCESSES % COUNT));

    /** Sockets of UDP, which the servers do not use. The system closes them when the process ends, even if it is killed. */
    private static final Queue<DatagramSocket> RESERVATIONS = new ConcurrentLinkedQueue<>();

    private FreePorts() {}

    /** Reserves a port that this process opens later. Returns whether nobody had reserved it. */
    public static boolean reserve(int port) {
        try {
            RESERVATIONS.add(new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port)));
            return true;
        } catch (IOException reserved) {
            return false;
        }
    }

    /** Returns different ports, which no other search returns. */
    public static List<Integer> find(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < COUNT && ports.size() < count; i++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            // In this order: trying a port takes it for a moment, which must not happen to a reserved one.
            if (reserve(port) && isFree(port)) {
                ports.add(port);
            }
        }
        if (ports.size() < count) {
            throw new IllegalStateException("no free port on the loopback interface from " + FIRST);
        }
        return ports;
    }

    /**
     * Binds the port and does not listen: a process that this JVM starts at the same time has a copy of the socket until it
     * closes it, and a listening copy would keep the server from the port.
     */
    private static boolean isFree(int port) {
        try (Socket socket = new Socket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            return true;
        } catch (IOException inUse) {
            return false;
        }
    }
}
