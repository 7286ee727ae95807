package io.quorumlock.security;

import java.time.Duration;

/** Is how a client was received. */
public sealed interface Authentication {

    record Admitted(Caller caller) implements Authentication {}

    /**
     * Is a refusal: there is no such key, or not under such an id.
     *
     * @param last that the address may try for now
     */
    record WrongKey(boolean last) implements Authentication {}

    /** Is a refusal without a look at the key, after too many wrong ones from the same address. */
    record TooManyWrongKeys(Duration left) implements Authentication {}

    /** Is a refusal for now: more requests came with the key than its quota allows. */
    record OverQuota(KeyId key, Duration left) implements Authentication {}
}
