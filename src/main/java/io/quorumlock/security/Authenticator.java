package io.quorumlock.security;

import io.quorumlock.time.MonotonicClock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Receives clients by their keys. May be used from any thread; one that is off lets everybody in. */
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

    /** Asks nobody for a key. */
    public static Authenticator off(MonotonicClock clock) {
        return new Authenticator(Optional.empty(), clock);
    }

    /** Asks for one of these keys. */
    public static Authenticator of(KeyStore store, MonotonicClock clock) {
        return new Authenticator(Optional.of(store), clock);
    }

    public boolean isOff() {
        return store.isEmpty();
    }

    public Caller anybody() {
        if (!isOff()) {
            throw new IllegalStateException("a key is needed");
        }
        return ANYBODY;
    }

    /**
     * Finds out who somebody is.
     *
     * @param address that the request came from
     */
    public Authentication admit(Credentials credentials, String address) {
        KeyStore keys = store.orElseThrow();
        Optional<ApiKey> found = keys.ring().find(credentials);
        Optional<Authentication> turnedAway = found.map(key -> wrongKeys.rightKey(address, key.id()))
                .orElseGet(() -> Optional.of(wrongKeys.wrongKey(address)));
        return turnedAway.orElseGet(() -> admit(found.orElseThrow(), keys));
    }

    private Authentication admit(ApiKey key, KeyStore keys) {
        KeyUsage usage = usages.computeIfAbsent(key.id(), id -> new KeyUsage(clock.now()));
        return usage.request(key.quota(), clock.now())
                .<Authentication>map(left -> new Authentication.OverQuota(key.id(), left))
                .orElseGet(() -> new Authentication.Admitted(new KeyCaller(key, usage, keys::ring)));
    }
}
