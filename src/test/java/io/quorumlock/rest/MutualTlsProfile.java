// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.quorumlock.testing.Certificate;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;

/** Runs the service with the settings that docs/security.md shows, on certificates made for it. */
public class MutualTlsProfile implements QuarkusTestProfile {
    static final String FOLDER = "test.certificates";

    private static final String DOCUMENTED = "/etc/quorumlock/tls";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```properties\\n(.*?)^```$");

    @Override
    public Map<String, String> getConfigOverrides() {
        try {
            Path folder = Files.createTempDirectory("quorumlock-certificates");
            certify(folder);
            Map<String, String> settings = new HashMap<>();
            documented()
                    .forEach((key, value) ->
                            settings.put((String) key, ((String) value).replace(DOCUMENTED, folder.toString())));
            settings.put("quarkus.tls.service.reload-period", "1s");
            settings.put("quarkus.http.test-ssl-port", "0");
            settings.put(FOLDER, folder.toString());
            return settings;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void certify(Path folder) throws IOException {
        Certificate server = Certificate.of("localhost", folder);
        Certificate client = Certificate.of("client", folder);
        Files.copy(server.pem(), folder.resolve("tls.crt"));
        server.writeKey(folder.resolve("tls.key"));
        Files.copy(client.pem(), folder.resolve("ca.crt"));
    }

    private static Properties documented() throws IOException {
        Properties settings = new Properties();
        String text = Files.readString(Path.of("docs/security.md"));
        for (String block :
                BLOCK.matcher(text).results().map(found -> found.group(1)).toList()) {
            settings.load(new StringReader(block));
        }
        return settings;
    }
}
