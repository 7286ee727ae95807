// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AnonymousAuthenticationRequest;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.SecurityListener;
import io.quorumlock.security.SecurityListener.RefusalReason;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The identity provider of requests without credentials. They have an identity only if authentication is off. */
@Singleton
final class AnonymousProvider implements IdentityProvider<AnonymousAuthenticationRequest> {
    private final SecurityListener events;
    private final Optional<Uni<SecurityIdentity>> anonymous;

    AnonymousProvider(Authenticator keys, SecurityListener events) {
        this.events = events;
        this.anonymous = keys.isOff() ? Optional.of(identity(keys)) : Optional.empty();
    }

    private static Uni<SecurityIdentity> identity(Authenticator keys) {
        return Uni.createFrom()
                .item(QuarkusSecurityIdentity.builder()
                        .setPrincipal(keys.anonymous())
                        .setAnonymous(true)
                        .build());
    }

    @Override
    public Class<AnonymousAuthenticationRequest> getRequestType() {
        return AnonymousAuthenticationRequest.class;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(
            AnonymousAuthenticationRequest request, AuthenticationRequestContext context) {
        return anonymous.orElseGet(this::refused);
    }

    private Uni<SecurityIdentity> refused() {
        events.refused(RefusalReason.NO_KEY);
        return Uni.createFrom()
                .failure(new AuthenticationFailedException(
                        new ProblemException(Problems.unauthorized("A key is needed: Authorization: Bearer <key>."))));
    }
}
