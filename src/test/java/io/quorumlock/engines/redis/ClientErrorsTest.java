// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;

/** A server answers the wrong protocol in several ways. Each of them hints at the scheme of the address. */
class ClientErrorsTest {
    private static final String NO_TLS = "; write redis:// if the server has no TLS";
    private static final String TLS = "; write rediss:// if the server has TLS";

    @Test
    void hintsAtSchemeOfPortWithoutTls() {
        assertEquals(
                Optional.of("its port has no TLS" + NO_TLS),
                ClientErrors.detailOfConnect(new SSLException("not an SSL/TLS record: 2d455252"), true));
        assertEquals(
                Optional.of("the server closed the connection" + NO_TLS),
                ClientErrors.detailOfConnect(new IOException("Connection reset by peer"), true));
        assertEquals(
                Optional.of("no answer" + NO_TLS),
                ClientErrors.detailOfConnect(new TimeoutException("no answer"), true));
    }

    @Test
    void hintsAtSchemeOfPortWithTls() {
        assertEquals(
                Optional.of("its answer is not of Redis" + TLS),
                ClientErrors.detailOfConnect(new IllegalStateException("ILLEGAL_STATE"), false));
        assertEquals(
                Optional.of("the server closed the connection" + TLS),
                ClientErrors.detailOfConnect(new IOException("Connection reset by peer"), false));
    }

    @Test
    void givesNoHintForOtherFailures() {
        assertEquals(
                Optional.of("connection refused"),
                ClientErrors.detailOfConnect(new IOException("Connection refused: /127.0.0.1:1"), true));
    }
}
