// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.time.MonotonicClock;
import io.vertx.redis.client.Response;
import java.util.List;

/** The production script {@code admit.lua} in an in-memory Redis. */
public final class GuardScript implements GuardStore {
    private static final String QUARANTINE = "quarantine";
    private static final List<String> KEYS = List.of("marker", QUARANTINE, "longest");

    private final LuaRedis redis;

    /** @param clock the server's clock since the epoch, which determines expiry */
    public GuardScript(MonotonicClock clock) {
        this.redis = new LuaRedis(clock);
    }

    @Override
    public Response admit(String[] args) {
        return redis.run(LuaScript.ADMIT, KEYS, List.of(args));
    }

    @Override
    public boolean isQuarantined() {
        return redis.holdsAny(QUARANTINE);
    }

    @Override
    public void endQuarantine() {
        redis.delete(QUARANTINE);
    }

    @Override
    public void clear() {
        redis.clear();
    }

    @Override
    public Runnable snapshot() {
        return redis.snapshot();
    }
}
