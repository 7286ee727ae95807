package io.quorumlock.redis;

import io.vertx.redis.client.Response;

/** The keys of the restart guard on one server. */
public interface GuardStore {
    /** Runs the script with its arguments, in their order. */
    Response admit(String[] args);

    boolean isQuarantined();

    void endQuarantine();

    void clear();

    /** Remembers the present content; running the result restores it. */
    Runnable snapshot();
}
