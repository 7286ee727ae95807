// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.core.lock.AcquireTerms;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.lock.ResourceNames;
import io.quorumlock.http.Answer;
import io.quorumlock.http.FieldErrors;
import io.quorumlock.http.LockCalls;
import io.quorumlock.http.ProblemException;
import io.quorumlock.http.RequestReader;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The calls of tools. Each that names the lease of its agent extends it, because agents do not call while they think. */
@Singleton
final class McpTools {
    private final LockCalls calls;
    private final Duration defaultTtl;
    private final McpResults results;
    private final RequestReader reader;

    McpTools(LockCalls calls, McpConfig settings, McpResults results, RequestReader reader) {
        this.calls = calls;
        this.defaultTtl = settings.ttl();
        this.results = results;
        this.reader = reader;
    }

    /** @param answer puts a result into the answer to the request */
    Uni<Answer> call(McpTool tool, ObjectNode fields, RoutingContext request, Function<McpResult, Answer> answer) {
        return Uni.createFrom()
                .deferred(() -> {
                    McpArguments arguments = read(tool, fields);
                    return switch (tool) {
                        case ACQUIRE -> acquire(arguments, request, answer);
                        case EXTEND -> extend(arguments, request).map(answer);
                        case RELEASE -> release(arguments, request).map(answer);
                        case CHECK -> check(arguments, request).map(answer);
                        case LIST -> list(arguments, request).map(answer);
                        case BREAK -> force(arguments, request).map(answer);
                    };
                })
                .onFailure(ProblemException.class)
                .recoverWithItem(refused -> answer.apply(McpResult.of(refused.answer())));
    }

    private McpArguments read(McpTool tool, ObjectNode fields) {
        FieldErrors errors = new FieldErrors();
        tool.check(fields, errors);
        fields.properties()
                .forEach(field -> field.setValue(McpArguments.adapted(field.getKey(), field.getValue(), reader)));
        try {
            return reader.bind(McpArguments.class, fields, errors);
        } catch (IOException bug) {
            throw new UncheckedIOException(bug);
        }
    }

    /** The service chooses the token, because two agents could choose the same one. */
    private Uni<Answer> acquire(McpArguments arguments, RoutingContext request, Function<McpResult, Answer> answer) {
        ResourceNames names = arguments.names().orElseThrow();
        AcquireTerms acquire = new AcquireTerms(
                ttl(arguments),
                Duration.ofSeconds(arguments.waitSeconds().orElse(0L)),
                Optional.empty(),
                arguments.owner(),
                LockKind.EXCLUSIVE);
        return calls.acquire(names, acquire, request)
                .map(outcome -> calls.delivered(answer.apply(results.acquired(outcome)), names, acquire, outcome));
    }

    private Duration ttl(McpArguments arguments) {
        return arguments.ttlMinutes().map(Duration::ofMinutes).orElse(defaultTtl);
    }

    private Uni<McpResult> extend(McpArguments arguments, RoutingContext request) {
        return extend(arguments.names(), arguments.token(), ttl(arguments), request);
    }

    private Uni<McpResult> extend(
            Optional<ResourceNames> names, Optional<LeaseToken> token, Duration ttl, RoutingContext request) {
        return calls.extend(names.orElseThrow(), token.orElseThrow(), ttl, request)
                .map(results::extended);
    }

    private Uni<McpResult> release(McpArguments arguments, RoutingContext request) {
        return calls.release(arguments.names().orElseThrow(), arguments.token().orElseThrow(), Duration.ZERO, request)
                .map(results::released);
    }

    private Uni<McpResult> check(McpArguments arguments, RoutingContext request) {
        List<ResourceName> names = arguments.names().orElseThrow().list();
        return extendOwn(arguments, request, () -> {
            List<Uni<Inspection>> found =
                    names.stream().map(name -> calls.inspect(name, request)).toList();
            return Uni.join().all(found).andFailFast().map(states -> results.checked(names, states));
        });
    }

    private Uni<McpResult> list(McpArguments arguments, RoutingContext request) {
        return extendOwn(
                arguments, request, () -> calls.list(arguments.page(), request).map(results::listed));
    }

    /** Extends first: the lease of the agent does not depend on what it may see. */
    private Uni<McpResult> extendOwn(
            McpArguments arguments, RoutingContext request, Supplier<Uni<McpResult>> observation) {
        if (arguments.ownToken().isEmpty()) {
            return observation.get();
        }
        return extend(arguments.ownNames(), arguments.ownToken(), defaultTtl, request)
                .flatMap(own -> Uni.createFrom()
                        .deferred(() -> observation.get())
                        .onFailure(ProblemException.class)
                        .recoverWithItem(refused -> McpResult.of(refused.answer()))
                        .map(found -> found.after(own)));
    }

    /** Breaks a lock, which is logged. */
    private Uni<McpResult> force(McpArguments arguments, RoutingContext request) {
        return calls.force(
                        arguments.name().orElseThrow(),
                        arguments.broken(),
                        arguments.reason().orElseThrow(),
                        request)
                .map(results::broken);
    }
}
