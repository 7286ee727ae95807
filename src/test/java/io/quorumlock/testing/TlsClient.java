// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An HTTPS client that trusts one certificate and optionally sends a client certificate. */
public final class TlsClient {
    private static final char[] PASSWORD = Certificate.PASSWORD.toCharArray();

    /** Long enough for the first handshake on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient http;

    public TlsClient(Certificate trusted, Optional<Certificate> shown) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManager[] keys = shown.isPresent() ? keys(shown.get()) : null;
            context.init(keys, trust(trusted).getTrustManagers(), null);
            http = HttpClient.newBuilder()
                    .sslContext(context)
                    .connectTimeout(PATIENCE)
                    .build();
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the status; empty if the connection failed or was closed. */
    public Optional<Integer> get(URI target) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(target).timeout(PATIENCE).build();
            return Optional.of(http.send(request, BodyHandlers.discarding()).statusCode());
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static KeyManager[] keys(Certificate certificate) throws GeneralSecurityException, IOException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(KeyStore.getInstance(certificate.keyStore().toFile(), PASSWORD), PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManagerFactory trust(Certificate certificate) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(certificate.pem())) {
            trusted.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory;
    }
}
