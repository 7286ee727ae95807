// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** A rule for the manifests. */
enum ManifestRule {
    FIELDS_ARE_KNOWN(KnownFields::breaches),
    PROBES_USE_EXISTING_PATHS(Probes::breaches),
    SELECTORS_MATCH_PODS(Selectors::breaches),
    VARIABLES_ARE_SETTINGS(Variables::breaches),
    REFERENCES_ARE_DEFINED(References::breaches),
    PODS_ARE_RESTRICTED(RestrictedPods::breaches),
    PORTS_ARE_OPEN(Ports::breaches),
    TLS_IS_COMPLETE(TlsPorts::breaches);

    private final Function<Manifests, Stream<String>> breaches;

    ManifestRule(Function<Manifests, Stream<String>> breaches) {
        this.breaches = breaches;
    }

    List<String> breachesOf(Manifests manifests) {
        return breaches.apply(manifests).toList();
    }
}
