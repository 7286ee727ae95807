// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

/** The lease ended while it was in use. */
@SuppressWarnings("serial")
public final class LeaseLostException extends QuorumlockException {
    private final String reason;

    LeaseLostException(String name, String reason) {
        super(name + ": lease lost: " + reason, null);
        this.reason = Text.printable(reason);
    }

    /** Returns the reason of the loss. */
    public String reason() {
        return reason;
    }
}
