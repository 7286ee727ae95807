// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

/** No replica with a majority of the masters answered in time. The message has the last cause. */
@SuppressWarnings("serial")
public final class UnavailableException extends QuorumlockException {
    UnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
