// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.KeyId;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * A validated request for a forced release.
 *
 * @param client address of the client; behind a trusted proxy the one that the proxy reports
 * @param requestId from the header X-Request-Id
 * @param key id of the API key; empty if authentication is off
 */
record ForceRequest(
        ResourceName resource, Reason reason, String client, Optional<String> requestId, Optional<KeyId> key) {
    static final String FORCE = "force";
    static final String REASON = "reason";

    static ForceRequest read(
            ResourceName resource, RequestParameters fields, Access access, HttpServerRequest request) {
        if (fields.has("token")) {
            fields.reject("token", "is not allowed with force=true");
        }
        if (!fields.has(REASON)) {
            fields.reject(REASON, "is required with force=true");
        }
        Optional<Reason> reason = fields.converted(REASON, Reason::new);
        fields.check();
        return new ForceRequest(resource, reason.orElseThrow(), client(request), RequestId.of(request), access.key());
    }

    private static String client(HttpServerRequest request) {
        return Optional.ofNullable(request.remoteAddress().hostAddress()).orElse("local");
    }

    /**
     * The reason for a forced release, for the log.
     *
     * @param text 1 to 256 printable characters
     */
    record Reason(String text) {
        private static final int LONGEST = 256;

        Reason {
            if (text.isBlank() || text.length() > LONGEST) {
                throw new IllegalArgumentException("must have 1 to " + LONGEST + " characters, and not only spaces");
            }
            if (!text.codePoints().allMatch(LogSanitizer::isPrintable)) {
                throw new IllegalArgumentException(
                        "must not contain line breaks, control characters or format characters");
            }
        }
    }
}
