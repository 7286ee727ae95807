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
 * Writes and reads where a listing goes on: the name that the page before ended at, as {@code version check name}. Any replica
 * reads it. The check tells a cursor of this form and prefix from any other text; it is no secret, as a cursor allows nothing
 * that a prefix does not.
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

    /** @throws IllegalArgumentException with a sentence for people, if it was not written for this prefix */
    static ResourceName read(String text, ResourcePrefix prefix) {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(text);
            ResourceName last = new ResourceName(PercentEncoding.utf8(
                    Arrays.copyOfRange(bytes, Math.min(bytes.length, 1 + CHECK_BYTES), bytes.length)));
            if (write(prefix, last).equals(text)) {
                return last;
            }
        } catch (IllegalArgumentException notOurs) {
            // Told below in the same words: what is wrong with it is nobody's business.
        }
        throw new IllegalArgumentException("must be the cursor of the page before, with the same prefix");
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
