// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.http.keys.KeyUsage.Quota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The keys of a file. Ids and hashes are unique. */
final class KeyRing {
    private final ApiKey[] keys;
    private final Map<KeyId, ApiKey> byId;

    KeyRing(List<ApiKey> keys) {
        this.keys = keys.toArray(ApiKey[]::new);
        this.byId = keys.stream().collect(Collectors.toUnmodifiableMap(ApiKey::id, key -> key));
    }

    int size() {
        return keys.length;
    }

    /** Finds the key of these credentials. Compares all keys, so that the time does not depend on the position. */
    Optional<ApiKey> find(Credentials credentials) {
        KeyHash shown = KeyHash.of(credentials.key());
        ApiKey found = null;
        for (ApiKey key : keys) {
            if (key.hash().matches(shown)) {
                found = key;
            }
        }
        return Optional.ofNullable(found)
                .filter(key -> credentials.id().map(key.id().text()::equals).orElse(true));
    }

    /** Returns the current entry of a key that was authenticated earlier. */
    Optional<ApiKey> current(ApiKey earlier) {
        return Optional.ofNullable(byId.get(earlier.id()))
                .filter(key -> key.hash().matches(earlier.hash()));
    }

    /** An entry of the keys file. */
    record ApiKey(KeyId id, KeyHash hash, AccessRules rules, Quota quota) {}
}
