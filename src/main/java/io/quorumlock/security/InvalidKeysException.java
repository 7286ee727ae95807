package io.quorumlock.security;

/** The error of an invalid keys file. The message states the place and the fix, and never repeats the content. */
final class InvalidKeysException extends Exception {
    InvalidKeysException(String place, String fix) {
        super(place + ": " + fix, null, false, false);
    }
}
