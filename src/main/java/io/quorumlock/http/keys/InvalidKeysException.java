// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

/** The error of an invalid keys file. The message states the place and the fix, and never repeats the content. */
final class InvalidKeysException extends Exception {
    InvalidKeysException(String place, String fix) {
        this(place + ": " + fix);
    }

    InvalidKeysException(String message) {
        super(message, null, false, false);
    }
}
