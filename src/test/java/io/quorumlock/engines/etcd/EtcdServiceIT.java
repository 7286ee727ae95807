// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.engines.consensus.ConsensusServiceContract;
import io.quorumlock.testing.SharedEtcd;
import io.quorumlock.testing.TestStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Tag;

@Tag("tools")
class EtcdServiceIT extends ConsensusServiceContract {
    @Override
    protected Map<String, String> environment() {
        return TestStore.ETCD.settings();
    }

    @Override
    protected String written(Map<String, String> environment) throws Exception {
        String root = environment.get("QUORUMLOCK_ETCD_ROOT");
        // A zero follows the slash.
        String range = "{\"key\": \"%s\", \"range_end\": \"%s\"}".formatted(base64(root + "/"), base64(root + "0"));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create(SharedEtcd.cluster().url(0) + "/v3/kv/range"))
                .POST(BodyPublishers.ofString(range))
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return new ObjectMapper().readTree(answer).path("kvs").toString();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
