// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies that are made to disturb the parser. */
class HostileBodiesTest {

    /** Field names that collide must not break the bodies of other clients. */
    @Test
    void collidingFieldNamesDoNotAffectOtherBodies() {
        RequestReader reader = ContractJson.reader();
        String colliding = IntStream.range(0, 400)
                .mapToObj(i -> '"' + collision(i) + "\":1")
                .collect(Collectors.joining(",", "{", "}"));
        read(reader, colliding);
        IntStream.range(0, 400).forEach(i -> read(reader, "{\"name" + i + "\":1}"));
        assertDoesNotThrow(() -> read(reader, "{\"ttlMs\":500,\"owner\":\"me\"}"));
    }

    /** Names with the same hash with any seed: 33 * 'A' + 'a' is 33 * 'B' + '@'. */
    private static String collision(int number) {
        StringBuilder name = new StringBuilder();
        for (int bit = 0; bit < 9; bit++) {
            name.append((number >> bit & 1) == 0 ? "Aa" : "B@");
        }
        return name.toString();
    }

    private static void read(RequestReader reader, String body) {
        FieldErrors errors = new FieldErrors();
        reader.addBody(body.getBytes(StandardCharsets.UTF_8), JsonNodeFactory.instance.objectNode(), errors);
        errors.check();
    }
}
