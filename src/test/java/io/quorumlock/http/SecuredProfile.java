// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.quorumlock.testing.KeysText;
import io.quorumlock.testing.SharedFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the service with keys: one for each verb alone, and some that are odd. */
public final class SecuredProfile implements QuarkusTestProfile {
    private static final List<String> VERBS =
            List.of("acquire", "extend", "release", "read", "list", "force", "events");

    @Override
    public Map<String, String> getConfigOverrides() {
        try {
            Path file = SharedFiles.newFolder().resolve("keys.json");
            Files.writeString(file, file());
            Path log = file.resolveSibling("service.log");
            return Map.ofEntries(
                    Map.entry("quorumlock.security.keys-file", file.toString()),
                    Map.entry("quorumlock.security.reload-period", "100ms"),
                    Map.entry("quarkus.http.access-log.enabled", "true"),
                    Map.entry("quarkus.http.access-log.pattern", "common"),
                    Map.entry("quarkus.log.file.enabled", "true"),
                    Map.entry("quarkus.log.file.path", log.toString()),
                    Map.entry("quorumlock.fleetlock.enabled", "true"),
                    Map.entry("quorumlock.fleetlock.ttl", "20s"),
                    Map.entry("quarkus.http.proxy.proxy-address-forwarding", "true"),
                    Map.entry("quorumlock.terraform.enabled", "true"),
                    Map.entry("quorumlock.terraform.ttl", "20s"),
                    // Nothing listens there: a request that is passed on fails.
                    Map.entry("quorumlock.terraform.state-url", "http://127.0.0.1:1/states"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the file, with more keys at its end. */
    static String file(String... more) {
        List<String> keys = new ArrayList<>();
        VERBS.forEach(verb -> keys.add(KeysText.key(verb, secret(verb), ":" + verb)));
        keys.add(KeysText.key("all", secret("all"), ":" + String.join(" ", VERBS)));
        keys.add(KeysText.key(
                "orders", secret("orders"), "orders/:acquire release read list events", "orders/eu/:read"));
        keys.add(KeysText.limited("slow", secret("slow"), "{\"requestsPerSecond\": 1}", ":read"));
        keys.add(KeysText.limited("patient", secret("patient"), "{\"waiters\": 1}", ":acquire read"));
        keys.add(KeysText.limited("reader", secret("reader"), "{\"streams\": 1}", ":acquire extend events"));
        keys.addAll(List.of(more));
        return KeysText.file(keys.toArray(String[]::new));
    }

    /** Returns the key with this id. Every key contains "canary". */
    public static String secret(String id) {
        return "canary+/" + id + "-" + "0123456789".repeat(3) + "=";
    }

    static String bearer(String id) {
        return "Bearer " + secret(id);
    }
}
