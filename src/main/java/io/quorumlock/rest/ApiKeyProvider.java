// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.rest;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quorumlock.rest.ApiKeyMechanism.ApiKeyRequest;
import io.quorumlock.security.Authenticator;
import io.quorumlock.security.Authenticator.Authentication;
import io.quorumlock.security.SecurityListener;
import io.quorumlock.security.SecurityListener.RefusalReason;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** The identity provider of API keys. The principal of an identity is the caller with its rules and quotas. */
@Singleton
final class ApiKeyProvider implements IdentityProvider<ApiKeyRequest> {
    private final Authenticator keys;
    private final SecurityListener events;

    ApiKeyProvider(Authenticator keys, SecurityListener events) {
        this.keys = keys;
        this.events = events;
    }

    @Override
    public Class<ApiKeyRequest> getRequestType() {
        return ApiKeyRequest.class;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(ApiKeyRequest request, AuthenticationRequestContext context) {
        Authentication outcome = keys.admit(request.credentials());
        if (outcome instanceof Authentication.Admitted admitted) {
            return Uni.createFrom()
                    .item(QuarkusSecurityIdentity.builder()
                            .setPrincipal(admitted.caller())
                            .build());
        }
        if (outcome instanceof Authentication.WrongKey) {
            return refused(RefusalReason.WRONG_KEY, Problems.unauthorized("There is no such key."));
        }
        if (outcome instanceof Authentication.OverQuota over) {
            return refused(RefusalReason.OVER_QUOTA, Problems.tooManyRequests(over.key(), over.left()));
        }
        throw new IllegalStateException("no answer for " + outcome.getClass().getName());
    }

    private Uni<SecurityIdentity> refused(RefusalReason reason, Answer answer) {
        events.refused(reason);
        return Uni.createFrom().failure(new AuthenticationFailedException(new ProblemException(answer)));
    }
}
