// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.testing.Signal;
import java.io.IOException;
import java.util.stream.Collectors;

/** A program that starts masters, suspends one, prints their folder and processes, and waits. */
final class MastersMain {
    private MastersMain() {}

    public static void main(String[] args) throws IOException {
        try (EmbeddedMasters masters = EmbeddedMasters.start(5)) {
            Signal.STOP.send(masters.processes().get(0).pid());
            System.out.println(masters.folder());
            System.out.println(masters.processes().stream()
                    .map(process -> String.valueOf(process.pid()))
                    .collect(Collectors.joining(" ")));
            System.in.read();
        }
    }
}
