package io.quorumlock.tracing;

import io.opentelemetry.api.common.AttributeKey;

/** Names what spans tell: as the semantic conventions of OpenTelemetry 1.37 do, and what only we have after ourselves. */
final class Keys {
    static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    static final AttributeKey<String> ROUTE = AttributeKey.stringKey("http.route");
    static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    static final AttributeKey<String> SCHEME = AttributeKey.stringKey("url.scheme");
    static final AttributeKey<String> PATH = AttributeKey.stringKey("url.path");
    static final AttributeKey<String> SERVER = AttributeKey.stringKey("server.address");
    static final AttributeKey<Long> PORT = AttributeKey.longKey("server.port");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> DATABASE = AttributeKey.stringKey("db.system.name");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
    static final AttributeKey<String> SCRIPT = AttributeKey.stringKey("db.stored_procedure.name");
    static final AttributeKey<String> RESOURCE = AttributeKey.stringKey("quorumlock.resource");
    static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("quorumlock.outcome");
    static final AttributeKey<String> NODE = AttributeKey.stringKey("quorumlock.node");
    static final AttributeKey<String> VOTE = AttributeKey.stringKey("quorumlock.vote");
    static final AttributeKey<String> REASON = AttributeKey.stringKey("quorumlock.reason");

    private Keys() {}
}
