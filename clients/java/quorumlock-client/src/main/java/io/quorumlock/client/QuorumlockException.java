// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

/** A failure of the client. */
@SuppressWarnings("serial")
public abstract class QuorumlockException extends RuntimeException {
    QuorumlockException(String message, Throwable cause) {
        super(Text.printable(message), cause);
    }
}
