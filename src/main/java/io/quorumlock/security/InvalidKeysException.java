package io.quorumlock.security;

/** Ends the reading of a file of keys with the place that is wrong and what it must be, and never with what it says. */
final class InvalidKeysException extends Exception {
    InvalidKeysException(String where, String what) {
        super(where + ": " + what, null, false, false);
    }
}
