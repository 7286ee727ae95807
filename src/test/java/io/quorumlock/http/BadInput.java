// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http;

/**
 * A row in a table of invalid requests.
 *
 * @param slug slug of the expected problem; empty if the request is valid
 */
record BadInput(String name, RawRequest request, int status, String slug) {
    /** The token of the lock {@link #HELD}. Every token in the tables contains this text. */
    static final String SECRET = "s3cr3t";

    static final String HELD = "/locks/bad/held";
    static final String HOLDER = SECRET + "-of-the-holder";
    static final String OTHER = "/locks/bad/other";
    static final String OTHERS_HOLDER = SECRET + "-of-the-other";
    static final String STRANGER = SECRET + "-of-nobody-at-all";

    static BadInput fine(String name, RawRequest request) {
        return new BadInput(name, request, 201, "");
    }

    static BadInput badName(String name, RawRequest request) {
        return new BadInput(name, request, 400, "invalid-resource");
    }

    static BadInput badRequest(String name, RawRequest request) {
        return new BadInput(name, request, 400, "invalid-request");
    }

    static BadInput badMethod(RawRequest request) {
        return new BadInput("the method " + request.method(), request, 405, "method-not-allowed");
    }

    static BadInput unknownPath(RawRequest request) {
        return new BadInput("an unknown path", request, 404, "not-found");
    }

    @Override
    public String toString() {
        String target = request.target();
        return name + ": " + request.method() + " " + (target.length() < 60 ? target : target.substring(0, 60) + "…");
    }
}
