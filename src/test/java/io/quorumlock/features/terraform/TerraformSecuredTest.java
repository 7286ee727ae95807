// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import static io.quorumlock.features.terraform.TerraformReplicas.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.quorumlock.http.SecuredProfile;
import java.net.URI;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The permissions for states. Terraform shows the status only. */
@QuarkusTest
@TestProfile(SecuredProfile.class)
class TerraformSecuredTest {
    @TestHTTPResource
    URI service;

    /** The key "orders" has all verbs, for another prefix. */
    @ParameterizedTest
    @CsvSource({
        "LOCK, '', extend, acquire",
        "LOCK, '', orders, acquire",
        "PUT, '', release, acquire",
        "UNLOCK, '', acquire, release",
        "UNLOCK, '', orders, release",
        "DELETE, '', force, release",
        "GET, '', read, extend",
        "GET, '', orders, extend",
        "POST, ?ID=, read, extend",
        "POST, ?ID=, orders, extend",
        "PUT, ?ID=, acquire, extend"
    })
    void keyWithoutVerbChangesNothing(String method, String query, String key, String lacks) {
        TerraformRun holder = run("held/" + UUID.randomUUID(), "all");
        TerraformRun free = run("free/" + UUID.randomUUID(), "all");
        expect(200, holder.lock());
        assertForbidden(lacks, holder, method, query, key);
        assertForbidden(lacks, free, method, query, key);
        expect(423, holder.other("another").lock());
        expect(200, free.other("another").lock());
    }

    private void assertForbidden(String lacks, TerraformRun run, String method, String query, String key) {
        TerraformRun refused = new TerraformRun(run.service(), run.state(), run.id(), SecuredProfile.secret(key));
        String full = query.isEmpty() ? "" : query + run.id();
        JsonNode problem = expect(403, refused.send(method, full, run.info()));
        assertEquals("/problems/forbidden", problem.path("type").asText());
        assertEquals(lacks, problem.path("verb").asText());
    }

    private TerraformRun run(String state, String key) {
        String base = service.toString().replaceFirst("/$", "");
        return new TerraformRun(URI.create(base), state, UUID.randomUUID().toString(), SecuredProfile.secret(key));
    }
}
