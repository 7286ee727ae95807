// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts that are sent, shown, or read from the environment. */
final class Text {
    private Text() {}

    /** Percent-encodes for paths and queries. */
    static String encode(String text) {
        String form = URLEncoder.encode(text, StandardCharsets.UTF_8);
        return form.replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    /** Returns a text on one line, without control characters. */
    static String printable(String text) {
        return text.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", "");
    }

    /** Returns the value of an environment variable, or null if it is not set. */
    static String env(String variable) {
        String value = System.getenv(variable);
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** Returns the name of the host, or null if it is unknown. */
    static String hostName() {
        try {
            Path linux = Path.of("/proc/sys/kernel/hostname");
            return Files.exists(linux)
                    ? Files.readString(linux).strip()
                    : InetAddress.getLocalHost().getHostName();
        } catch (IOException e) {
            return null;
        }
    }
}
