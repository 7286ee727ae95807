// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.etcd;

import io.quorumlock.consensus.StoredRecord;
import io.quorumlock.lock.ResourceName;
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

    /** Returns the first key of a range: of all names, or of those after one. */
    String first(Optional<ResourceName> after) {
        return encode(begin + after.map(name -> name.text() + "\0").orElse(""));
    }

    /** Returns the end of the range of all names, which is after each of them. */
    String end() {
        byte[] key = begin.getBytes(StandardCharsets.UTF_8);
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

    /** Returns the record in an answer or a report. */
    static StoredRecord record(ResourceName name, JsonObject kv) {
        return record(name, decode(kv.getString("value", "")), EtcdJson.number(kv, "mod_revision"));
    }

    /** Returns a record. No revision of the store is used twice, so it proves the version. */
    static StoredRecord record(ResourceName name, String text, long revision) {
        return new StoredRecord(name, text, revision, Long.toString(revision));
    }
}
