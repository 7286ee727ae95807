// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import io.quorumlock.core.lock.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** The keys file on disk. */
final class KeysFile {
    private static final int MAX_BYTES = 1024 * 1024;

    private final Path path;

    KeysFile(Path path) {
        this.path = path;
    }

    /** The content of the path at one time. */
    sealed interface Content {
        /** Returns a value that differs between contents. Timestamps of files are too coarse for this. */
        String fingerprint();
    }

    record Bytes(byte[] bytes, String fingerprint) implements Content {}

    record Nothing(String why) implements Content {
        @Override
        public String fingerprint() {
            return why;
        }
    }

    Content read() {
        if (!Files.exists(path)) {
            return new Nothing("does not exist");
        }
        if (!Files.isRegularFile(path)) {
            return new Nothing("is not a regular file");
        }
        try (InputStream file = Files.newInputStream(path)) {
            byte[] bytes = file.readNBytes(MAX_BYTES + 1);
            return bytes.length > MAX_BYTES
                    ? new Nothing("must have at most " + MAX_BYTES + " bytes")
                    : new Bytes(bytes, HexFormat.of().formatHex(Sha256.of(bytes)));
        } catch (AccessDeniedException e) {
            return new Nothing("must be readable by the user that runs the service");
        } catch (IOException e) {
            return new Nothing("cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    /** Parses the keys. */
    static KeyRing parse(Content content) throws InvalidKeysException {
        if (content instanceof Bytes file) {
            String text = utf8(file.bytes());
            if (text.isBlank()) {
                throw new InvalidKeysException("line 1", "is empty; a file without keys is {\"keys\": []}");
            }
            return KeysReader.read(text);
        }
        throw new InvalidKeysException("the file " + ((Nothing) content).why());
    }

    private static String utf8(byte[] bytes) throws InvalidKeysException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new InvalidKeysException("the file must be UTF-8");
        }
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
