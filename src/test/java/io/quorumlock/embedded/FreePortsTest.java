// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreePortsTest {

    /** Otherwise a temporary master can take the port of its service. */
    @Test
    void excludesReservedPort() {
        int reserved = FreePorts.find(1).get(0) + 1;
        FreePorts.reserve(reserved);
        List<Integer> next = FreePorts.find(5);
        assertFalse(next.contains(reserved), next::toString);
    }

    /** Otherwise two processes can give the same port to servers that start at the same time. */
    @Test
    void otherProcessesSeeReservation() {
        int found = FreePorts.find(1).get(0);
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), found);
        assertThrows(BindException.class, () -> new DatagramSocket(address).close());
    }
}
