// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import java.util.HashMap;
import java.util.Map;

/** Mutual TLS, with probes and metrics on the port without TLS. */
public final class ManagementPortProfile extends MutualTlsProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> settings = new HashMap<>(super.getConfigOverrides());
        settings.put("quorumlock.management.enabled", "true");
        settings.put("quarkus.http.insecure-requests", "enabled");
        settings.put("quarkus.http.proxy.proxy-address-forwarding", "true");
        return settings;
    }
}
