// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import io.quorumlock.documentation.Document;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A rule: each referenced secret, config map, service account, service and volume is defined in the manifests or
 * created by a command of docs/kubernetes.md.
 */
final class References {
    private static final Pattern CREATED = Pattern.compile("kubectl .*create secret generic (\\S+)");
    private static final Pattern CREATED_WITH_KEY =
            Pattern.compile("kubectl .*create secret generic (\\S+)[^\\n]*--from-literal=(\\w+)=");

    private References() {}

    static Stream<String> breaches(Manifests manifests) {
        Set<String> defined = defined(manifests).collect(Collectors.toSet());
        return manifests.all().stream().flatMap(manifest -> referenced(manifest)
                .filter(thing -> !defined.contains(thing))
                .map(thing -> manifest + " refers to " + thing + ", which is not defined"));
    }

    private static Stream<String> referenced(Manifest manifest) {
        JsonNode pod = manifest.podSpec();
        return Stream.of(
                        pod.findValues("secretKeyRef").stream()
                                .filter(key -> !key.path("optional").asBoolean())
                                .map(key -> secret(text(key, "name"), text(key, "key"))),
                        pod.findValues("secret").stream().map(secret -> secret(text(secret, "secretName"))),
                        pod.findValues("configMap").stream().map(map -> "configmap " + text(map, "name")),
                        text(pod, "serviceAccountName", "account "),
                        text(manifest.content().path("spec"), "serviceName", "service "),
                        manifest.containers().stream()
                                .flatMap(container -> Manifest.items(container.path("volumeMounts")))
                                .map(mount -> volume(manifest, text(mount, "name"))))
                .flatMap(things -> things);
    }

    private static Stream<String> defined(Manifests manifests) {
        return Stream.of(
                        manifests.all("Service").stream().map(service -> "service " + service.name()),
                        manifests.all("ServiceAccount").stream().map(account -> "account " + account.name()),
                        manifests.all("ConfigMap").stream().map(map -> "configmap " + map.name()),
                        manifests.all("Secret").stream()
                                .flatMap(secret -> Stream.concat(
                                        Stream.of(secret(secret.name())),
                                        secret.content().path("data").properties().stream()
                                                .map(entry -> secret(secret.name(), entry.getKey())))),
                        created(),
                        manifests.all().stream().flatMap(References::volumes))
                .flatMap(things -> things);
    }

    private static Stream<String> created() {
        String document = Document.read(Path.of("docs/kubernetes.md")).text();
        return Stream.concat(
                CREATED.matcher(document).results().map(command -> secret(command.group(1))),
                CREATED_WITH_KEY
                        .matcher(document)
                        .results()
                        .map(command -> secret(command.group(1), command.group(2))));
    }

    private static Stream<String> volumes(Manifest manifest) {
        return Stream.concat(
                        Manifest.items(manifest.podSpec().path("volumes")).map(volume -> text(volume, "name")),
                        Manifest.items(manifest.content().at("/spec/volumeClaimTemplates"))
                                .map(claim -> claim.at("/metadata/name").asText()))
                .map(name -> volume(manifest, name));
    }

    private static String secret(String name) {
        return "secret " + name;
    }

    private static String secret(String name, String key) {
        return "secret " + name + "/" + key;
    }

    private static String volume(Manifest manifest, String name) {
        return "volume " + name + " of " + manifest;
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asText();
    }

    private static Stream<String> text(JsonNode object, String field, String prefix) {
        return Manifest.present(object.path(field)).map(name -> prefix + name.asText()).stream();
    }
}
