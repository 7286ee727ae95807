// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.vertx.redis.client.Response;

/** The keys of the restart guard on one server. */
public interface GuardStore {
    /** Runs the script with its arguments, in their order. */
    Response admit(String[] args);

    boolean isQuarantined();

    void endQuarantine();

    void clear();

    /** Saves the current content, and returns the action that restores it. */
    Runnable snapshot();
}
