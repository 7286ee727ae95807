// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * The format of the cursor of a list: the last name of the previous page, as {@code version check name}. Any replica
 * can read it. The check detects other text, and cursors of another version or prefix. It is not a signature: a forged
 * cursor shows nothing that a prefix does not show.
 */
final class Cursor {
    private static final byte VERSION = 1;
    private static final int CHECK_BYTES = 8;

    private Cursor() {}

    static String write(ResourcePrefix prefix, ResourceName last) {
        byte[] name = utf8(last.text());
        ByteBuffer bytes = ByteBuffer.allocate(1 + CHECK_BYTES + name.length);
        bytes.put(VERSION).put(check(prefix, name)).put(name);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** @throws IllegalArgumentException with a message for the client, if this is not a cursor for the prefix */
    static ResourceName read(String text, ResourcePrefix prefix) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            ResourceName last = new ResourceName(PercentEncoding.utf8(
                    Arrays.copyOfRange(bytes, Math.min(bytes.length, 1 + CHECK_BYTES), bytes.length)));
            if (write(prefix, last).equals(text)) {
                return last;
            }
        } catch (IllegalArgumentException notOurs) {
            // All invalid cursors get the same message.
        }
        throw new IllegalArgumentException("must be the cursor of the previous page, with the same prefix");
    }

    private static byte[] check(ResourcePrefix prefix, byte[] name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(utf8("quorumlock cursor " + VERSION + "\n" + prefix.text() + "\n"));
            return Arrays.copyOf(digest.digest(name), CHECK_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
