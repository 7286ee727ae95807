// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.http.keys.KeyRing.ApiKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The authenticator of API keys. Thread-safe. If it is off, callers are anonymous. */
public final class Authenticator {
    private final Optional<KeyStore> store;
    private final MonotonicClock clock;
    private final Map<KeyId, KeyUsage> usages = new ConcurrentHashMap<>();

    private Authenticator(Optional<KeyStore> store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** Returns an authenticator that requires no keys. */
    public static Authenticator off(MonotonicClock clock) {
        return new Authenticator(Optional.empty(), clock);
    }

    /** Returns an authenticator that requires one of these keys. */
    public static Authenticator of(KeyStore store, MonotonicClock clock) {
        return new Authenticator(Optional.of(store), clock);
    }

    Optional<KeyStore> store() {
        return store;
    }

    public boolean isOff() {
        return store.isEmpty();
    }

    public Caller anonymous() {
        if (!isOff()) {
            throw new IllegalStateException("authentication is on: anonymous callers are not allowed");
        }
        return Caller.WITHOUT_KEY;
    }

    /** Authenticates a client. */
    public Authentication admit(Credentials credentials) {
        KeyStore keys = store.orElseThrow();
        return keys.ring().find(credentials).map(key -> admit(key, keys)).orElseGet(Authentication.WrongKey::new);
    }

    private Authentication admit(ApiKey key, KeyStore keys) {
        KeyUsage usage = usages.computeIfAbsent(key.id(), id -> new KeyUsage(clock.now()));
        return usage.request(key.quota(), clock.now())
                .<Authentication>map(left -> new Authentication.OverQuota(key.id(), left))
                .orElseGet(() -> new Authentication.Admitted(Caller.of(key, usage, keys::ring)));
    }

    /** The outcome of an authentication. */
    public sealed interface Authentication {

        record Admitted(Caller caller) implements Authentication {}

        /** The key is unknown, or has another id. */
        record WrongKey() implements Authentication {}

        /** The key exceeded its quota of requests. */
        record OverQuota(KeyId key, Duration left) implements Authentication {}
    }
}
