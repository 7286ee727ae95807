// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.util.Optional;

/** The service, or the client itself, rejected the request. */
@SuppressWarnings("serial")
public final class RefusedException extends QuorumlockException {
    private final int status;
    private final String type;
    private final String detail;

    RefusedException(int status, String type, String detail, String message) {
        super(message, null);
        this.status = status;
        this.type = type;
        this.detail = detail;
    }

    /** Returns the HTTP status, or 0 if the client rejected the request. */
    public int status() {
        return status;
    }

    /** Returns the type of the problem document, for example {@code /problems/forbidden}. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** Returns the detail of the problem document. */
    public Optional<String> detail() {
        return Optional.ofNullable(detail);
    }
}
