// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The script of the service, without the operations that are not usual. */
final class BatchScript {
    private BatchScript() {}

    static String source() throws IOException {
        return "local function define(operation, clock)\n" + read("holders") + "end\n" + read("batch");
    }

    private static String read(String name) throws IOException {
        try (InputStream script = BatchScript.class.getResourceAsStream("/redis/" + name + ".lua")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
