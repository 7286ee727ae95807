// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The percent-encoding of UTF-8 text. Decodes once and strictly; "+" and ";" have no special meaning. */
final class PercentEncoding {
    private static final String HEX = "0123456789ABCDEF";

    private PercentEncoding() {}

    /**
     * Decodes a text.
     *
     * @param raw as it came on the wire, one character for each byte
     * @throws IllegalArgumentException with a message for the client
     */
    static String decode(String raw) {
        return isPlain(raw) ? raw : utf8(bytes(raw));
    }

    /** Encodes a text for a path, except unreserved characters and "/". */
    static String encodePath(String text) {
        if (isUnreserved(text)) {
            return text;
        }
        StringBuilder encoded = new StringBuilder(text.length() * 3);
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved(b)) {
                encoded.append((char) b);
            } else {
                encoded.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%' || c == '#' || c > '~') {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.put((byte) (hex(raw, i + 1) << 4 | hex(raw, i + 2)));
                i += 2;
            } else if (c > 0xFF || c == '#') {
                // Some proxies cut the path at "#", so the service would see another name than the client sent.
                throw new IllegalArgumentException("must be percent-encoded, including \"#\" and non-ASCII characters");
            } else {
                bytes.put((byte) c);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static int hex(String raw, int at) {
        int digit = at < raw.length() && raw.charAt(at) < 0x80 ? Character.digit(raw.charAt(at), 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("must not contain an invalid percent-encoding");
        }
        return digit;
    }

    /** Decodes UTF-8 strictly: rejects overlong forms and surrogates. */
    static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("must be valid UTF-8", e);
        }
    }

    private static boolean isUnreserved(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isUnreserved(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnreserved(int c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || c == '/'
                || c == '-'
                || c == '_'
                || c == '.'
                || c == '~';
    }
}
