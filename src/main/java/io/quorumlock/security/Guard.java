package io.quorumlock.security;

import io.quorumlock.time.MonotonicClock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Receives clients by their keys. May be used from any thread; one that is off lets everybody in. */
public final class Guard {
    private static final Caller ANYBODY = new Anybody();

    private final Optional<KeyStore> store;
    private final MonotonicClock clock;
    private final WrongKeys wrongKeys;
    private final Map<KeyId, Usage> usages = new ConcurrentHashMap<>();

    private Guard(Optional<KeyStore> store, MonotonicClock clock) {
        this.store = store;
        this.clock = clock;
        this.wrongKeys = new WrongKeys(clock);
    }

    /** Asks nobody for a key. */
    public static Guard off(MonotonicClock clock) {
        return new Guard(Optional.empty(), clock);
    }

    /** Asks for one of these keys. */
    public static Guard of(KeyStore store, MonotonicClock clock) {
        return new Guard(Optional.of(store), clock);
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
    public Admission admit(Credentials credentials, String address) {
        KeyStore keys = store.orElseThrow();
        Optional<ApiKey> found = keys.ring().find(credentials);
        Optional<Admission> turnedAway = found.map(key -> wrongKeys.rightKey(address, key.id()))
                .orElseGet(() -> Optional.of(wrongKeys.wrongKey(address)));
        return turnedAway.orElseGet(() -> admit(found.orElseThrow(), keys));
    }

    private Admission admit(ApiKey key, KeyStore keys) {
        Usage usage = usages.computeIfAbsent(key.id(), id -> new Usage(clock.now()));
        return usage.request(key.quota(), clock.now())
                .<Admission>map(left -> new Admission.OverQuota(key.id(), left))
                .orElseGet(() -> new Admission.Admitted(new KeyHolder(key, usage, keys::ring)));
    }
}
