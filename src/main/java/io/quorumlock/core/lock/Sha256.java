// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.core.lock;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which each Java has. */
public final class Sha256 {
    private Sha256() {}

    public static byte[] of(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
