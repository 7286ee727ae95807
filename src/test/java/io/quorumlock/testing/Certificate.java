// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A self-signed certificate, created with the JDK's keytool.
 *
 * @param keyStore a PKCS #12 file with certificate and private key
 * @param pem the certificate without the private key
 */
public record Certificate(Path keyStore, Path pem) {
    public static final String PASSWORD = "changeit";

    private static final String ALIAS = "node";

    /** Creates a certificate for a host. */
    public static Certificate of(String host, Path folder) {
        Certificate made = new Certificate(folder.resolve(host + ".p12"), folder.resolve(host + ".pem"));
        made.keytool(
                "-genkeypair", "-keyalg", "EC", "-validity", "2", "-dname", "CN=" + host, "-ext", "san=dns:" + host);
        made.write("CERTIFICATE", made.pem, store -> store.getCertificate(ALIAS).getEncoded());
        return made;
    }

    /** Writes the private key as PEM, the format that most certificate authorities use. */
    public void writeKey(Path file) {
        write("PRIVATE KEY", file, store -> store.getKey(ALIAS, PASSWORD.toCharArray())
                .getEncoded());
    }

    private void write(String type, Path file, Entry entry) {
        try {
            byte[] encoded = entry.of(KeyStore.getInstance(keyStore.toFile(), PASSWORD.toCharArray()));
            String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
            Files.writeString(file, "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(type, text));
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private interface Entry {
        byte[] of(KeyStore store) throws GeneralSecurityException;
    }

    private void keytool(String... arguments) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/keytool"));
        // It runs for a second, in which the optimizing compiler uses more time than it saves.
        command.add("-J-XX:TieredStopAtLevel=1");
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", ALIAS, "-keystore", keyStore.toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        try {
            Path log = Files.createTempFile(keyStore.getParent(), "keytool", ".log");
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            int status = builder.redirectOutput(log.toFile()).start().waitFor();
            if (status != 0) {
                throw new AssertionError(Files.readString(log));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }
}
