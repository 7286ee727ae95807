// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** The keys of the records, {@code root/name}, in the Base64 of the JSON gateway. */
final class RecordKeys {
    private final String begin;

    /** @param root without a slash at the end */
    RecordKeys(String root) {
        this.begin = root + "/";
    }

    String of(ResourceName name) {
        return encode(begin + name.text());
    }

    /** Returns the first key of a range of names: of those with the prefix, or after a name. */
    String first(ResourcePrefix prefix, Optional<ResourceName> after) {
        return encode(begin
                + after.map(name -> name.text() + "\0")
                        .filter(text -> text.compareTo(prefix.text()) > 0)
                        .orElse(prefix.text()));
    }

    /** Returns the end of the keys that begin with the prefix. The last byte of UTF-8 is never the largest one. */
    String end(ResourcePrefix prefix) {
        byte[] key = (begin + prefix.text()).getBytes(StandardCharsets.UTF_8);
        key[key.length - 1]++;
        return Base64.getEncoder().encodeToString(key);
    }

    /** Returns the name of a key; empty if another program chose it. */
    Optional<ResourceName> nameOf(String encoded) {
        try {
            return Optional.of(new ResourceName(decode(encoded).substring(begin.length())));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** Returns the names in the answer of a range. */
    List<ResourceName> namesIn(JsonObject answer) {
        return answer.getJsonArray("kvs", new JsonArray()).stream()
                .flatMap(kv -> nameOf(((JsonObject) kv).getString("key")).stream())
                .toList();
    }

    static String encode(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static String decode(String encoded) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    }
}
