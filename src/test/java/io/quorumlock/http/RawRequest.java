// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as sent, without escaping, completion or correction.
 *
 * @param target one char per byte
 */
public record RawRequest(String method, String target, List<String> headers, byte[] body) {

    static RawRequest of(String method, String target) {
        return new RawRequest(method, target, List.of("Host: test", "Connection: close"), new byte[0]);
    }

    public static RawRequest post(String target) {
        return of("POST", target);
    }

    static RawRequest put(String target) {
        return of("PUT", target);
    }

    static RawRequest delete(String target) {
        return of("DELETE", target);
    }

    public static RawRequest get(String target) {
        return of("GET", target);
    }

    RawRequest header(String name, String value) {
        List<String> more = new ArrayList<>(headers);
        more.add(name + ": " + value);
        return new RawRequest(method, target, more, body);
    }

    RawRequest token(String token) {
        return header("Lock-Token", token);
    }

    RawRequest json(String text) {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    RawRequest bytes(byte[] content) {
        return new RawRequest(method, target, headers, content).header("Content-Length", "" + content.length);
    }

    byte[] wire() {
        String head = method + " " + target + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        wire.writeBytes(body);
        return wire.toByteArray();
    }
}
