// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.security;

/** The state of the keys file, for metrics. */
public interface KeysState {
    /** Returns the state while authentication is off. */
    static KeysState none() {
        return new KeysState() {
            @Override
            public int keys() {
                return 0;
            }

            @Override
            public boolean isStale() {
                return false;
            }

            @Override
            public long reloads() {
                return 0;
            }

            @Override
            public long refusedReloads() {
                return 0;
            }
        };
    }

    /** Returns the number of active keys. */
    int keys();

    /** Returns whether the file has changed but is invalid, so that older keys are active. */
    boolean isStale();

    /** Returns the number of successful reloads. */
    long reloads();

    /** Returns the number of failed reloads. */
    long refusedReloads();
}
