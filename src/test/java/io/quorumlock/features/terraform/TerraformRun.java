// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.testing.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The requests of a run of Terraform, as its HTTP backend sends them. */
record TerraformRun(URI service, String state, String id, String key) {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    TerraformRun(URI service, String state, String id) {
        this(service, state, id, "");
    }

    TerraformRun other(String otherId) {
        return new TerraformRun(service, state, otherId, key);
    }

    String info() {
        return """
                {"ID":"%s","Operation":"OperationTypeApply","Info":"","Who":"ada@build 7","Version":"1.11.0",\
                "Created":"2026-11-28T13:44:45.123456789Z","Path":""}"""
                .formatted(id);
    }

    HttpResponse<String> lock() {
        return send("LOCK", "", info());
    }

    HttpResponse<String> unlock() {
        return send("UNLOCK", "", info());
    }

    HttpResponse<String> save(String content) {
        return send("POST", "?ID=" + id, content);
    }

    HttpResponse<String> read() {
        return send("GET", "", "");
    }

    /** @param query begins with "?", or is empty */
    HttpResponse<String> send(String method, String query, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(service + "/terraform/" + state + query))
                .timeout(Eventually.LONGEST)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!key.isEmpty()) {
            // A key begins with its id, before which there may be a slash.
            String user = key.substring(key.indexOf('/') + 1).split("-")[0];
            byte[] credentials = (user + ":" + key).getBytes(StandardCharsets.UTF_8);
            request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
        }
        try {
            return CLIENT.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
