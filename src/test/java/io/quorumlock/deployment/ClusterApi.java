// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.deployment;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The API of a Kubernetes cluster with some secrets and Deployments in the namespace {@code locks}, read by templates. */
final class ClusterApi implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    ClusterApi() throws IOException {
        answers.put("/api/v1", resources("v1", "secret", "Secret"));
        answers.put("/apis/apps/v1", resources("apps/v1", "deployment", "Deployment"));
        deployments();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String answer = answers.getOrDefault(exchange.getRequestURI().getPath(), "");
            byte[] body = answer.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.isEmpty() ? 404 : 200, answer.isEmpty() ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    private static String resources(String group, String name, String kind) {
        return "{'kind':'APIResourceList','groupVersion':'" + group + "','resources':[{'name':'" + name
                + "s','singularName':'" + name + "','namespaced':true,'kind':'" + kind + "','verbs':['get','list']}]}";
    }

    /** Adds a secret with one value. */
    void secret(String name, String key, String value) {
        String encoded = Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
        answers.put(
                "/api/v1/namespaces/locks/secrets/" + name,
                "{'kind':'Secret','apiVersion':'v1','metadata':{'name':'" + name + "','namespace':'locks'},'data':{'"
                        + key + "':'" + encoded + "'}}");
    }

    /** Replaces the Deployments. */
    void deployments(String... items) {
        answers.put(
                "/apis/apps/v1/namespaces/locks/deployments",
                Stream.of(items)
                        .collect(Collectors.joining(
                                ",", "{'kind':'DeploymentList','apiVersion':'apps/v1','metadata':{},'items':[", "]}")));
    }

    /** Returns a Deployment with the labels of a release and this source of {@code QUORUMLOCK_NODES}. */
    static String deployment(String release, int replicas, String nodes) {
        return deployment(release, replicas, "QUORUMLOCK_NODES", nodes);
    }

    static String deployment(String release, int replicas, String variable, String value) {
        return "{'kind':'Deployment','apiVersion':'apps/v1','metadata':{'name':'" + release
                + "','namespace':'locks','labels':{'app.kubernetes.io/name':'quorumlock','app.kubernetes.io/instance':'"
                + release + "','other':'label'}},'spec':{'replicas':" + replicas
                + ",'template':{'spec':{'containers':[{'name':'quorumlock','env':[{'name':'" + variable + "'," + value
                + "}]}]}}}}";
    }

    /** Returns the arguments to render an installed release with this API. */
    String[] upgrade() {
        return new String[] {
            "--dry-run=server",
            "--is-upgrade",
            "--kube-apiserver=http://127.0.0.1:" + server.getAddress().getPort()
        };
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
