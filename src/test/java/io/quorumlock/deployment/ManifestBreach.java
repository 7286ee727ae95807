// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import java.util.stream.Stream;

/** A mistake in one manifest, and the expected message of the rule. */
record ManifestBreach(ManifestRule rule, String file, String from, String to, String message) {
    private static final String TRIAL = "trial.yaml";
    private static final String SIDECAR = "sidecar.yaml";
    private static final String JOB = "cronjob.yaml";

    static Stream<ManifestBreach> all() {
        return Stream.of(fields(), probes(), selectors(), variables(), references(), security(), ports(), tls())
                .flatMap(breaches -> breaches);
    }

    private static Stream<ManifestBreach> fields() {
        ManifestRule rule = ManifestRule.FIELDS_ARE_KNOWN;
        return Stream.of(
                of(rule, TRIAL, "replicas: 1", "replicas: one", "$.spec.replicas is not a valid \"integer\""),
                of(rule, TRIAL, "enableServiceLinks", "enableServiceLink", "unknown field enableServiceLink"),
                of(rule, TRIAL, "serviceName:", "service:", "$.spec is missing \"serviceName\""),
                of(rule, JOB, "backoffLimit", "retries", "$.spec.jobTemplate.spec has an unknown field retries"),
                of(rule, TRIAL, "apiVersion: v1", "apiVersion: apps/v1", "$.apiVersion is not one of"),
                of(rule, TRIAL, "port: 8080", "port: [8080]", "$.spec.ingress[].ports[].port is not one of"),
                of(rule, TRIAL, "kind: Service\n", "kind: Servise\n", "has an unknown kind"));
    }

    private static Stream<ManifestBreach> probes() {
        ManifestRule rule = ManifestRule.PROBES_USE_EXISTING_PATHS;
        return Stream.of(
                of(rule, TRIAL, "/q/health/live", "/q/health/ready", "livenessProbe does not use"),
                of(rule, TRIAL, "readinessProbe", "readyProbe", "has no readinessProbe"),
                of(
                        rule,
                        TRIAL,
                        "name: http\n              containerPort",
                        "name: web\n              containerPort",
                        "uses a port that"),
                of(rule, SIDECAR, "/q/health/started", "/health", "startupProbe does not use"),
                of(rule, TRIAL, "redis-cli ", "true ", "livenessProbe does not use redis-cli"));
    }

    private static Stream<ManifestBreach> selectors() {
        ManifestRule rule = ManifestRule.SELECTORS_MATCH_PODS;
        String label = "      app.kubernetes.io/name: quorumlock-masters\n";
        return Stream.of(
                of(rule, TRIAL, "  selector:\n    app", "  selector:\n    no.app", "matches nothing with"),
                of(rule, TRIAL, "              " + label.strip(), "              app: masters", "matches nothing with"),
                of(rule, TRIAL, "matchLabels:\n" + label, "matchLabels:\n      app: masters\n", "matches nothing"));
    }

    private static Stream<ManifestBreach> variables() {
        ManifestRule rule = ManifestRule.VARIABLES_ARE_SETTINGS;
        return Stream.of(
                of(rule, SIDECAR, "QUORUMLOCK_HEALTH_R", "QUORUMLOCK_R", "REQUIRES_QUORUM is not a setting"),
                of(rule, TRIAL, "$(MASTERS_PASSWORD)", "$(PASSWORD)", "refers to PASSWORD"),
                of(rule, TRIAL, "QUORUMLOCK_NODES", "QUORUMLOCK_URL", "QUORUMLOCK_URL is not a setting"),
                of(rule, JOB, "QUORUMLOCK_URL\n", "QUORUMLOCK_URI\n", "QUORUMLOCK_URI is not a setting"),
                of(rule, TRIAL, "quorumlock-masters-4.", "quorumlock-masters-5.", "but the masters are"),
                of(rule, TRIAL, "replicas: 5", "replicas: 3", "but the masters are"));
    }

    private static Stream<ManifestBreach> references() {
        ManifestRule rule = ManifestRule.REFERENCES_ARE_DEFINED;
        return Stream.of(
                of(rule, TRIAL, "key: password", "key: passwort", "secret quorumlock-masters/passwort"),
                of(
                        rule,
                        SIDECAR,
                        "name: quorumlock-tmp\n              mount",
                        "name: x\n              mount",
                        "volume x"),
                of(rule, TRIAL, "serviceAccountName: quorumlock", "serviceAccountName: x-quorumlock", "account x"),
                of(
                        rule,
                        TRIAL,
                        "          configMap:\n            name: q",
                        "          configMap:\n            name: x",
                        "configmap x"));
    }

    private static Stream<ManifestBreach> security() {
        ManifestRule rule = ManifestRule.PODS_ARE_RESTRICTED;
        return Stream.of(
                of(rule, TRIAL, "runAsUser: 10001", "runAsUser: 0", "must have a numeric user"),
                of(rule, TRIAL, "runAsNonRoot: true", "runAsNonRoot: false", "must have runAsNonRoot"),
                of(rule, JOB, "runAsNonRoot: true", "runAsNonRoot: false", "must have runAsNonRoot"),
                of(rule, SIDECAR, "type: RuntimeDefault", "type: Unconfined", "must have seccompProfile"),
                of(rule, TRIAL, "allowPrivilegeEscalation: false", "privileged: true", "must have privileged: false"),
                of(rule, TRIAL, "drop: [ALL]", "drop: [KILL]", "must have drop: [ALL]"),
                of(rule, SIDECAR, "RootFilesystem: true", "RootFilesystem: false", "must have readOnly"),
                of(rule, TRIAL, "enableServiceLinks: false", "hostNetwork: true", "must have its own network"),
                of(rule, TRIAL, "emptyDir:", "hostPath:", "must have only allowed volumes"),
                of(
                        rule,
                        TRIAL,
                        "limits:\n              memory: 512Mi",
                        "limits:\n              cpu: 1",
                        "must have a memory limit"),
                of(rule, TRIAL, "quorumlock:0.1.0", "quorumlock:latest", "must have an image version"));
    }

    private static Stream<ManifestBreach> ports() {
        ManifestRule rule = ManifestRule.PORTS_ARE_OPEN;
        return Stream.of(
                of(rule, TRIAL, "targetPort: http", "targetPort: web", "targets web"),
                of(rule, TRIAL, "port: 8080", "port: 8081", "allows port 8081"),
                of(rule, TRIAL, "port: 6379", "port: 6380", "allows port 6380"),
                of(rule, TRIAL, "[Ingress, Egress]", "[Ingress]", "no policy for Egress"));
    }

    private static Stream<ManifestBreach> tls() {
        return Stream.of(
                of(ManifestRule.TLS_IS_COMPLETE, TRIAL, "port: 8080", "port: 6379", "admits clients to port 6379"));
    }

    private static ManifestBreach of(ManifestRule rule, String file, String from, String to, String message) {
        return new ManifestBreach(rule, file, from, to, message);
    }
}
