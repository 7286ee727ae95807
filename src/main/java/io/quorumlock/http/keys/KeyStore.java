// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.http.keys;

import java.nio.file.Path;
import org.jboss.logging.Logger;

/** The active keys: those of the file or, while it is invalid, those of its last valid content. */
public final class KeyStore {
    private static final Logger LOG = Logger.getLogger(KeyStore.class);

    private final KeysFile file;
    private volatile KeyRing ring;
    private volatile boolean stale;
    private volatile long reloads;
    private volatile long refusedReloads;
    /** The fingerprint of the last content, valid or not, so that each change is logged once. */
    private String seen;

    private KeyStore(KeysFile file, KeyRing ring, String seen) {
        this.file = file;
        this.ring = ring;
        this.seen = seen;
    }

    /** The outcome of opening the keys file. */
    public sealed interface Opening {}

    public record Opened(KeyStore store) implements Opening {}

    /** @param why the error: the file, the place in it, and the fix */
    public record Refused(String why) implements Opening {}

    public static Opening open(Path path) {
        KeysFile file = new KeysFile(path);
        KeysFile.Content content = file.read();
        try {
            KeyRing ring = KeysFile.parse(content);
            log("loaded", file, ring);
            return new Opened(new KeyStore(file, ring, content.fingerprint()));
        } catch (InvalidKeysException e) {
            return new Refused(file + ": " + e.getMessage());
        }
    }

    /** Reloads the file if it has changed. Blocks: must not be called on an event loop. */
    public synchronized void look() {
        KeysFile.Content content = file.read();
        if (content.fingerprint().equals(seen)) {
            return;
        }
        seen = content.fingerprint();
        try {
            ring = KeysFile.parse(content);
            stale = false;
            reloads++;
            log("reloaded", file, ring);
        } catch (InvalidKeysException e) {
            stale = true;
            refusedReloads++;
            LOG.errorf(
                    "keys not reloaded file=%s keys=%d, the earlier keys stay active: %s",
                    file, ring.size(), e.getMessage());
        }
    }

    private static void log(String event, KeysFile file, KeyRing ring) {
        if (ring.size() == 0) {
            LOG.warnf("keys %s file=%s keys=0: requests that need a key get 401", event, file);
        } else {
            LOG.infof("keys %s file=%s keys=%d", event, file, ring.size());
        }
    }

    KeyRing ring() {
        return ring;
    }

    /** Returns the number of active keys. */
    int keys() {
        return ring.size();
    }

    /** Returns whether the file has changed but is invalid, so that older keys are active. */
    boolean isStale() {
        return stale;
    }

    /** Returns the number of successful reloads. */
    long reloads() {
        return reloads;
    }

    /** Returns the number of failed reloads. */
    long refusedReloads() {
        return refusedReloads;
    }
}
