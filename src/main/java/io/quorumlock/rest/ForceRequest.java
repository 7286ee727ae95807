package io.quorumlock.rest;

import io.quorumlock.lock.ResourceName;
import io.quorumlock.security.KeyId;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;

/**
 * Is a checked request to release by force.
 *
 * @param client the address that it came from
 * @param requestId that a proxy or the client gave it
 * @param key that it came with, where one is needed
 */
record ForceRequest(
        ResourceName resource, Reason reason, String client, Optional<String> requestId, Optional<KeyId> key) {
    static final String FORCE = "force";
    static final String REASON = "reason";

    static ForceRequest read(
            ResourceName resource, RequestParameters fields, Access access, HttpServerRequest request) {
        if (fields.has("token")) {
            fields.reject("token", "must not be given with force=true, which asks for none");
        }
        if (!fields.has(REASON)) {
            fields.reject(REASON, "is required with force=true");
        }
        Optional<Reason> reason = fields.converted(REASON, Reason::new);
        fields.check();
        return new ForceRequest(
                resource,
                reason.orElseThrow(),
                request.remoteAddress().hostAddress(),
                RequestId.of(request),
                access.key());
    }
}
