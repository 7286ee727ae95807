// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.quorumlock.http.keys.Authenticator;
import io.quorumlock.http.keys.Authenticator.Authentication;
import io.quorumlock.http.keys.Caller;
import io.quorumlock.http.keys.Credentials;
import io.quorumlock.http.keys.RefusalReason;
import io.quorumlock.http.keys.SecurityMeters;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * The authentication mechanism for API keys in the header Authorization. The principal of a request is its {@link Caller}, except
 * on public paths, where keys are not read. It never leaves the event loop.
 */
@Singleton
final class ApiKeyMechanism implements HttpAuthenticationMechanism {
    private static final Uni<SecurityIdentity> NOBODY = identity(new QuarkusPrincipal(""), true);

    private final Authenticator keys;
    private final SecurityMeters meters;
    private final Routes routes;
    private final boolean metricsNeedKey;
    private final Optional<Uni<SecurityIdentity>> anonymous;
    private final BiConsumer<RoutingContext, Throwable> onFailure;

    ApiKeyMechanism(
            Authenticator keys,
            SecurityMeters meters,
            Routes routes,
            AnswerWriter writer,
            ProblemMappers problems,
            @ConfigProperty(name = "quorumlock.security.metrics-need-key") boolean metricsNeedKey) {
        this.keys = keys;
        this.meters = meters;
        this.routes = routes;
        this.metricsNeedKey = metricsNeedKey;
        this.anonymous = keys.isOff() ? Optional.of(identity(keys.anonymous(), true)) : Optional.empty();
        this.onFailure = (context, failure) -> writer.write(problems.answer(failure), context);
    }

    private static Uni<SecurityIdentity> identity(Principal principal, boolean anonymous) {
        return Uni.createFrom()
                .item(QuarkusSecurityIdentity.builder()
                        .setPrincipal(principal)
                        .setAnonymous(anonymous)
                        .build());
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext context, IdentityProviderManager identities) {
        // The default handler would not write a problem document.
        context.put(QuarkusHttpUser.AUTH_FAILURE_HANDLER, onFailure);
        List<String> headers = context.request().headers().getAll(HttpHeaders.AUTHORIZATION);
        // No log or trace of the request can contain the key.
        context.request().headers().remove(HttpHeaders.AUTHORIZATION);
        return routes.of(context).isPublic(metricsNeedKey) ? NOBODY : anonymous.orElseGet(() -> authenticate(headers));
    }

    /** Returns the identity of the key in the headers. */
    Uni<SecurityIdentity> authenticate(List<String> headers) {
        Optional<Credentials> credentials;
        try {
            credentials = Authorization.read(headers);
        } catch (IllegalArgumentException malformed) {
            return refused(RefusalReason.MALFORMED, Problems.unauthorized(malformed.getMessage()));
        }
        if (credentials.isEmpty()) {
            return refused(
                    RefusalReason.NO_KEY, Problems.unauthorized("A key is needed: Authorization: Bearer <key>."));
        }
        Authentication outcome = keys.admit(credentials.get());
        if (outcome instanceof Authentication.Admitted admitted) {
            return identity(admitted.caller(), false);
        }
        if (outcome instanceof Authentication.OverQuota over) {
            return refused(RefusalReason.OVER_QUOTA, Problems.tooManyRequests(over.key(), over.left()));
        }
        return refused(RefusalReason.WRONG_KEY, Problems.unauthorized("There is no such key."));
    }

    private Uni<SecurityIdentity> refused(RefusalReason reason, Answer answer) {
        meters.refused(reason);
        return Uni.createFrom().failure(new AuthenticationFailedException(new ProblemException(answer)));
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext context) {
        return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", Problems.CHALLENGES));
    }

    /** Needs no identity provider. */
    @Override
    public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
        return Set.of();
    }
}
