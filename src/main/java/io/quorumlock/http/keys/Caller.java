// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourcePrefix;
import io.quorumlock.http.keys.KeyRing.ApiKey;
import java.security.Principal;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The sender of a request, with its current permissions. Without a key, because authentication is off, everything is permitted.
 * Each check uses the current rules, so that removal of a key from the file also ends its sessions and streams.
 */
public final class Caller implements Principal {
    static final Caller WITHOUT_KEY = new Caller(Optional.empty());

    private final Optional<UsedKey> key;

    private Caller(Optional<UsedKey> key) {
        this.key = key;
    }

    /** @param ring the keys that the file has now */
    static Caller of(ApiKey key, KeyUsage usage, Supplier<KeyRing> ring) {
        return new Caller(Optional.of(new UsedKey(key, usage, ring)));
    }

    /** Returns the key if it has no rule that allows the verb, or was removed from the file. */
    public Optional<KeyId> denied(Verb verb, ResourceName resource) {
        return unless(rules -> rules.allow(verb, resource));
    }

    /** Returns the key if it is not allowed the verb on all names with the prefix. */
    public Optional<KeyId> deniedAll(Verb verb, ResourcePrefix prefix) {
        return unless(rules -> rules.allowAll(verb, prefix));
    }

    /** Returns the key if it is not allowed the verb on the service itself. The rule of the empty prefix decides. */
    public Optional<KeyId> deniedOverall(Verb verb) {
        return unless(rules -> rules.allowOverall(verb));
    }

    private Optional<KeyId> unless(Predicate<AccessRules> allowed) {
        return key.filter(used -> used.rules().filter(allowed).isEmpty()).map(UsedKey::id);
    }

    /** Takes one of the places for waiting requests. */
    public PlacePermission enterToWait() {
        return key.map(used -> used.usage().waiters().enter(used.key().quota().waiters()))
                .orElse(PlacePermission.UNCOUNTED);
    }

    /** Takes one of the places for event streams and sessions. */
    public PlacePermission enterStream() {
        return key.map(used -> used.usage().streams().enter(used.key().quota().streams()))
                .orElse(PlacePermission.UNCOUNTED);
    }

    /** Returns the id of the key, unless authentication is off. */
    public Optional<KeyId> key() {
        return key.map(UsedKey::id);
    }

    @Override
    public String getName() {
        return key.map(used -> used.id().text()).orElse("");
    }

    private record UsedKey(ApiKey key, KeyUsage usage, Supplier<KeyRing> ring) {
        KeyId id() {
            return key.id();
        }

        Optional<AccessRules> rules() {
            return ring.get().current(key).map(ApiKey::rules);
        }
    }

    /** The outcome of a request for one of a limited number of places. */
    public sealed interface PlacePermission {
        /** A place where their number is not limited. */
        PlacePermission UNCOUNTED = new Place(() -> {});

        /** @param leave releases the place; further calls have no effect */
        record Place(Runnable leave) implements PlacePermission {}

        /** @param most the limit, which is reached */
        record Full(int most) implements PlacePermission {}
    }
}
