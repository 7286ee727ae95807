// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import java.util.stream.Stream;

/** A mistake in one manifest, and the expected message of the rule. */
record ManifestBreach(ManifestRule rule, String file, String from, String to, String message) {
    private static final String DEPLOYMENT = "base/deployment.yaml";
    private static final String MASTERS = "masters/statefulset.yaml";
    private static final String SIDECAR = "sidecar/sidecar.yaml";
    private static final String POLICY = "base/networkpolicy.yaml";
    private static final String JOB = "examples/cronjob/cronjob.yaml";

    static Stream<ManifestBreach> all() {
        return Stream.of(
                        files(), fields(), probes(), selectors(), variables(), references(), security(), ports(), tls())
                .flatMap(breaches -> breaches);
    }

    private static Stream<ManifestBreach> files() {
        ManifestRule rule = ManifestRule.FILES_ARE_LISTED;
        return Stream.of(
                of(rule, "base/kustomization.yaml", "- service.yaml", "- servise.yaml", "lists base/servise.yaml"),
                of(rule, "base/kustomization.yaml", "  - networkpolicy.yaml\n", "", "does not list base/networkpol"),
                of(rule, "masters/kustomization.yaml", "      - start.sh\n", "", "does not list masters/start.sh"),
                of(rule, "overlays/prod/kustomization.yaml", "../../base", "../../basis", "lists basis"));
    }

    private static Stream<ManifestBreach> fields() {
        ManifestRule rule = ManifestRule.FIELDS_ARE_KNOWN;
        return Stream.of(
                of(rule, DEPLOYMENT, "replicas: 3", "replicas: three", "$.spec.replicas is not a valid \"integer\""),
                of(rule, DEPLOYMENT, "enableServiceLinks", "enableServiceLink", "unknown field enableServiceLink"),
                of(rule, MASTERS, "serviceName:", "service:", "$.spec is missing \"serviceName\""),
                of(rule, JOB, "backoffLimit", "retries", "$.spec.jobTemplate.spec has an unknown field retries"),
                of(rule, "base/service.yaml", "apiVersion: v1", "apiVersion: apps/v1", "$.apiVersion is not one of"),
                of(rule, POLICY, "port: 8080", "port: [8080]", "$.spec.ingress[].ports[].port is not one of"),
                of(rule, "base/service.yaml", "kind: Service", "kind: Servise", "has an unknown kind"));
    }

    private static Stream<ManifestBreach> probes() {
        ManifestRule rule = ManifestRule.PROBES_USE_EXISTING_PATHS;
        return Stream.of(
                of(rule, DEPLOYMENT, "/q/health/live", "/q/health/ready", "livenessProbe does not use"),
                of(rule, DEPLOYMENT, "readinessProbe", "readyProbe", "has no readinessProbe"),
                of(rule, DEPLOYMENT, "name: http", "name: web", "uses a port that"),
                of(rule, SIDECAR, "/q/health/started", "/health", "startupProbe does not use"),
                of(rule, MASTERS, "redis-cli ", "true ", "livenessProbe does not use redis-cli"));
    }

    private static Stream<ManifestBreach> selectors() {
        ManifestRule rule = ManifestRule.SELECTORS_MATCH_PODS;
        String label = "app.kubernetes.io/name: quorumlock\n  ports";
        return Stream.of(
                of(rule, "base/service.yaml", label, label.replace("lock", "look"), "matches nothing with"),
                of(rule, POLICY, "quorumlock-masters", "masters", "matches nothing with"),
                of(
                        rule,
                        "masters/poddisruptionbudget.yaml",
                        "      app.kubernetes.io/name",
                        "      app",
                        "matches nothing"),
                of(
                        rule,
                        "monitoring/servicemonitor.yaml",
                        "      app.kubernetes.io/name",
                        "      app",
                        "matches nothing"),
                of(
                        rule,
                        MASTERS,
                        "                  app.kubernetes.io/name",
                        "                  app",
                        "matches nothing"));
    }

    private static Stream<ManifestBreach> variables() {
        ManifestRule rule = ManifestRule.VARIABLES_ARE_SETTINGS;
        return Stream.of(
                of(rule, SIDECAR, "QUORUMLOCK_HEALTH_R", "QUORUMLOCK_R", "REQUIRES_QUORUM is not a setting"),
                of(rule, DEPLOYMENT, "$(MASTERS_PASSWORD)", "$(PASSWORD)", "refers to PASSWORD"),
                of(rule, DEPLOYMENT, "QUORUMLOCK_NODES", "QUORUMLOCK_URL", "QUORUMLOCK_URL is not a setting"),
                of(rule, JOB, "QUORUMLOCK_URL\n", "QUORUMLOCK_URI\n", "QUORUMLOCK_URI is not a setting"),
                of(rule, DEPLOYMENT, "quorumlock-masters-4.", "quorumlock-masters-5.", "but the masters are"),
                of(rule, MASTERS, "replicas: 5", "replicas: 3", "but the masters are"));
    }

    private static Stream<ManifestBreach> references() {
        ManifestRule rule = ManifestRule.REFERENCES_ARE_DEFINED;
        return Stream.of(
                of(rule, DEPLOYMENT, "key: password", "key: passwort", "secret quorumlock-masters/passwort"),
                of(
                        rule,
                        SIDECAR,
                        "name: quorumlock-tmp\n              mount",
                        "name: tmp\n              mount",
                        "volume tmp"),
                of(
                        rule,
                        MASTERS,
                        "configMap:\n            name: quorumlock-masters",
                        "configMap:\n            name: x",
                        "configmap x"),
                of(rule, MASTERS, "serviceName: quorumlock-masters", "serviceName: redis", "service redis"),
                of(rule, "keys/keys.yaml", "secretName: quorumlock-keys", "secretName: keys", "secret keys,"),
                of(rule, "external-masters/deployment.yaml", "key: nodes", "key: urls", "quorumlock-nodes/urls"),
                of(rule, DEPLOYMENT, "serviceAccountName: quorumlock", "serviceAccountName: root", "account root"));
    }

    private static Stream<ManifestBreach> security() {
        ManifestRule rule = ManifestRule.PODS_ARE_RESTRICTED;
        return Stream.of(
                of(rule, DEPLOYMENT, "runAsUser: 10001", "runAsUser: 0", "must have a numeric user"),
                of(rule, DEPLOYMENT, "runAsNonRoot: true", "runAsNonRoot: false", "must have runAsNonRoot"),
                of(rule, JOB, "runAsNonRoot: true", "runAsNonRoot: false", "must have runAsNonRoot"),
                of(rule, SIDECAR, "type: RuntimeDefault", "type: Unconfined", "must have seccompProfile"),
                of(rule, MASTERS, "allowPrivilegeEscalation: false", "privileged: true", "must have privileged: false"),
                of(rule, MASTERS, "drop: [ALL]", "drop: [KILL]", "must have drop: [ALL]"),
                of(
                        rule,
                        SIDECAR,
                        "readOnlyRootFilesystem: true",
                        "readOnlyRootFilesystem: false",
                        "must have readOnly"),
                of(
                        rule,
                        MASTERS,
                        "automountServiceAccountToken: false",
                        "hostNetwork: true",
                        "must have its own network"),
                of(rule, DEPLOYMENT, "emptyDir:", "hostPath:", "must have only allowed volumes"),
                of(
                        rule,
                        DEPLOYMENT,
                        "memory: 512Mi\n          sec",
                        "cpu: 1\n          sec",
                        "must have a memory limit"),
                of(rule, DEPLOYMENT, "quorumlock:0.1.0", "quorumlock:latest", "must have an image version"));
    }

    private static Stream<ManifestBreach> ports() {
        ManifestRule rule = ManifestRule.PORTS_ARE_OPEN;
        return Stream.of(
                of(rule, "base/service.yaml", "targetPort: http", "targetPort: web", "targets web"),
                of(rule, POLICY, "port: 8080", "port: 8081", "allows port 8081"),
                of(rule, POLICY, "port: 6379", "port: 6380", "allows port 6380"),
                of(rule, "masters/networkpolicy.yaml", "[Ingress, Egress]", "[Ingress]", "no policy for Egress"),
                of(rule, "monitoring/servicemonitor.yaml", "/q/metrics", "/metrics", "scrapes"));
    }

    private static Stream<ManifestBreach> tls() {
        ManifestRule rule = ManifestRule.TLS_IS_COMPLETE;
        String file = "tls/deployment.yaml";
        return Stream.of(
                of(rule, file, "QUORUMLOCK_MANAGEMENT_ENABLED", "OTHER", "has no port for probes without TLS"),
                of(rule, file, "mountPath: /etc/quorumlock-tls", "mountPath: /etc/tls", "is in no mounted volume"),
                of(rule, POLICY, "port: 8080", "port: 6379", "admits clients to port 6379"));
    }

    private static ManifestBreach of(ManifestRule rule, String file, String from, String to, String message) {
        return new ManifestBreach(rule, file, from, to, message);
    }
}
