// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.identity.request.BaseAuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.Authenticator.Credentials;
import io.quorumlock.security.SecurityListener;
import io.quorumlock.security.SecurityListener.RefusalReason;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** The authentication mechanism for API keys in the header Authorization. It never leaves the event loop. */
@Singleton
final class ApiKeyMechanism implements HttpAuthenticationMechanism {
    private static final Uni<SecurityIdentity> NO_CREDENTIALS = Uni.createFrom().nullItem();

    /** The identity on public paths, where keys are not read. */
    private static final Uni<SecurityIdentity> NOBODY = Uni.createFrom()
            .item(QuarkusSecurityIdentity.builder()
                    .setPrincipal(new QuarkusPrincipal(""))
                    .setAnonymous(true)
                    .build());

    private final Authenticator keys;
    private final SecurityListener events;
    private final BiConsumer<RoutingContext, Throwable> onFailure;

    ApiKeyMechanism(Authenticator keys, SecurityListener events, AnswerWriter writer, ProblemMappers problems) {
        this.keys = keys;
        this.events = events;
        this.onFailure = (context, failure) -> writer.write(problems.answer(failure), context.response());
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager identities) {
        // The default handler would not write a problem document.
        context.put(QuarkusHttpUser.AUTH_FAILURE_HANDLER, onFailure);
        if (keys.isOff()) {
            return NO_CREDENTIALS;
        }
        return RequestFilter.isPublic(context) ? NOBODY : authenticate(context.request(), identities);
    }

    private Uni<SecurityIdentity> authenticate(HttpServerRequest request, IdentityProviderManager identities) {
        List<String> headers = request.headers().getAll(HttpHeaders.AUTHORIZATION);
        // No log or trace of the request can contain the key.
        request.headers().remove(HttpHeaders.AUTHORIZATION);
        Optional<Credentials> credentials;
        try {
            credentials = Authorization.read(headers);
        } catch (IllegalArgumentException e) {
            events.refused(RefusalReason.MALFORMED);
            return Uni.createFrom()
                    .failure(new AuthenticationFailedException(
                            new ProblemException(Problems.unauthorized(e.getMessage()))));
        }
        return credentials.isEmpty() ? NO_CREDENTIALS : identities.authenticate(new ApiKeyRequest(credentials.get()));
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", Problems.CHALLENGES));
    }

    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return Set.of(ApiKeyRequest.class);
    }

    /** A request for the identity of an API key. */
    static final class ApiKeyRequest extends BaseAuthenticationRequest {
        private final Credentials credentials;

        ApiKeyRequest(Credentials credentials) {
            this.credentials = credentials;
        }

        Credentials credentials() {
            return credentials;
        }
    }
}
