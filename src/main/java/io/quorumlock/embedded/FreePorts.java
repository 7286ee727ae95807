// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A search for free loopback ports. */
public final class FreePorts {
    /** Below the ports that systems give to connections and to servers without a fixed port. */
    private static final int FIRST = 15_000;

    private static final int COUNT = 15_000;

    /** The distance of the ports with which two processes begin, if they were started one after the other. */
    private static final int BETWEEN_PROCESSES = 97;

    /** Never returns a port twice, because the server of an earlier one may not have opened it yet. */
    private static final AtomicInteger NEXT =
            new AtomicInteger((int) (ProcessHandle.current().pid() * BETWEEN_PROCESSES % COUNT));

    private static final Set<Integer> RESERVED = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** Excludes a port that this process opens later. */
    public static void reserve(int port) {
        RESERVED.add(port);
    }

    /** Returns different ports. Another process may take one before the caller does, but hardly ever does. */
    public static List<Integer> find(int count) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < COUNT && ports.size() < count; i++) {
            int port = FIRST + NEXT.getAndIncrement() % COUNT;
            if (!RESERVED.contains(port) && isFree(port)) {
                ports.add(port);
            }
        }
        if (ports.size() < count) {
            throw new IllegalStateException("no free port on the loopback interface from " + FIRST);
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.isBound();
        } catch (IOException inUse) {
            return false;
        }
    }
}
