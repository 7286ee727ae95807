package io.quorumlock.security;

import io.quorumlock.time.MonotonicClock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The authenticator of API keys. Thread-safe. If it is off, callers are anonymous. */
public final class Authenticator {
    private static final Caller ANYBODY = new AnonymousCaller();

    private final Optional<KeyStore> store;
    private final MonotonicClock clock;
    private final FailedLogins wrongKeys;
    private final Map<KeyId, KeyUsage> usages = new ConcurrentHashMap<>();

    private Authenticator(Optional<KeyStore> store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        this.wrongKeys = new FailedLogins(clock);
    }

    /** Returns an authenticator that requires no keys. */
    public static Authenticator off(MonotonicClock clock) {
        return new Authenticator(Optional.empty(), clock);
    }

    /** Returns an authenticator that requires one of these keys. */
    public static Authenticator of(KeyStore store, MonotonicClock clock) {
        return new Authenticator(Optional.of(store), clock);
    }

    public boolean isOff() {
        return store.isEmpty();
    }

    public Caller anybody() {
        if (!isOff()) {
            throw new IllegalStateException("authentication is on: anonymous callers are not allowed");
        }
        return ANYBODY;
    }

    /**
     * Authenticates a client.
     *
     * @param address of the client
     */
    public Authentication admit(Credentials credentials, String address) {
        KeyStore keys = store.orElseThrow();
        Optional<ApiKey> found = keys.ring().find(credentials);
        Optional<Authentication> rejection = found.map(key -> wrongKeys.rightKey(address, key.id()))
                .orElseGet(() -> Optional.of(wrongKeys.wrongKey(address)));
        return rejection.orElseGet(() -> admit(found.orElseThrow(), keys));
    }

    private Authentication admit(ApiKey key, KeyStore keys) {
        KeyUsage usage = usages.computeIfAbsent(key.id(), id -> new KeyUsage(clock.now()));
        return usage.request(key.quota(), clock.now())
                .<Authentication>map(left -> new Authentication.OverQuota(key.id(), left))
                .orElseGet(() -> new Authentication.Admitted(new KeyCaller(key, usage, keys::ring)));
    }
}
