// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.redisson.Redisson;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Clients of Redisson's RedLock. The arguments are the number of clients and the URLs of the masters. */
final class RedissonRedLockCycles {
    private static final int TTL_MS = 1_000;
    private static final String RUN = "redisson/" + ProcessHandle.current().pid() + "/" + System.nanoTime() + "/";

    private final List<RedissonClient> masters = new ArrayList<>();
    private final AtomicLong names = new AtomicLong();

    public static void main(String[] arguments) throws IOException {
        RedissonRedLockCycles cycles = new RedissonRedLockCycles();
        for (int i = 1; i < arguments.length; i++) {
            Config config = new Config();
            config.useSingleServer().setAddress(arguments[i]);
            cycles.masters.add(Redisson.create(config));
        }
        ClosedLoop.serve(Integer.parseInt(arguments[0]), number -> cycles::cycle);
    }

    /** Uses no waiting time, which is faster: with one, Redisson sets the expiry of each key a second time. */
    @SuppressWarnings("deprecation")
    private OptionalLong cycle() throws InterruptedException {
        long began = System.nanoTime();
        String name = RUN + names.incrementAndGet();
        RedissonRedLock lock = new RedissonRedLock(
                masters.stream().map(master -> master.getLock(name)).toArray(RLock[]::new));
        if (!lock.tryLock(0, TTL_MS, TimeUnit.MILLISECONDS)) {
            return OptionalLong.empty();
        }
        lock.unlock();
        return OptionalLong.of(System.nanoTime() - began);
    }
}
