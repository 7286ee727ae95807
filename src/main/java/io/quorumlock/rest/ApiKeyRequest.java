package io.quorumlock.rest;

import io.quarkus.security.identity.request.BaseAuthenticationRequest;
import io.quorumlock.security.Credentials;

/** A request for the identity of an API key. */
final class ApiKeyRequest extends BaseAuthenticationRequest {
    private final Credentials credentials;
    private final String address;

    /** @param address of the client */
    ApiKeyRequest(Credentials credentials, String address) {
        this.credentials = credentials;
        this.address = address;
    }

    Credentials credentials() {
        return credentials;
    }

    String address() {
        return address;
    }
}
