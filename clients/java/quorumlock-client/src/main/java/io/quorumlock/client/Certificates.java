// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The files with certificates and keys that the environment names. */
final class Certificates {
    private Certificates() {}

    /** Returns the context for TLS of the files, or null if the environment names none. */
    static SSLContext context() throws IOException, GeneralSecurityException {
        String authorities = Text.env("QUORUMLOCK_CA_FILE");
        String certificate = Text.env("QUORUMLOCK_CERT_FILE");
        if (authorities == null && certificate == null) {
            return null;
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        KeyStore trusted = null; // the authorities of the system
        if (authorities != null) {
            trusted = emptyKeyStore();
            for (Certificate authority : certificates(authorities)) {
                trusted.setCertificateEntry("ca-" + trusted.size(), authority);
            }
        }
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = emptyKeyStore();
        if (certificate != null) {
            own.setKeyEntry("client", privateKey(), new char[0], certificates(certificate));
        }
        keys.init(own, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore emptyKeyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Certificate[] certificates(String file) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            Certificate[] found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(in)
                    .toArray(Certificate[]::new);
            Checks.require(found.length > 0, file + " has no certificates");
            return found;
        }
    }

    private static PrivateKey privateKey() throws IOException, GeneralSecurityException {
        String file = Text.env("QUORUMLOCK_CERT_KEY_FILE");
        Checks.require(file != null, "QUORUMLOCK_CERT_FILE needs QUORUMLOCK_CERT_KEY_FILE");
        String[] parts = Files.readString(Path.of(file)).split("-----(BEGIN|END) PRIVATE KEY-----");
        Checks.require(parts.length > 1, file + " must have a private key in PKCS #8 (BEGIN PRIVATE KEY)");
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(parts[1]));
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException e) {
                // It is a key of another algorithm.
            }
        }
        throw new InvalidKeySpecException(file + " has a private key of an unknown algorithm");
    }
}
