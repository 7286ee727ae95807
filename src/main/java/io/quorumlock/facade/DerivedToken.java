// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.facade;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The lease token of an owner whose protocol has an id and no secret. Each replica computes the same one, so that a repeated
 * request is safe on any of them. An id belongs to one lease: a later one with the same token could be released by a late
 * command of the first. The id is enough to compute the token, so only the permissions on the name protect the lock.
 */
final class DerivedToken {
    private DerivedToken() {}

    /** @param name begins with the name of the facade */
    static LeaseToken of(ResourceName name, String id) {
        byte[] text = (name.text() + "\n" + id).getBytes(StandardCharsets.UTF_8);
        return new LeaseToken(Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(text)));
    }

    private static byte[] sha256(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each Java has SHA-256", e);
        }
    }
}
