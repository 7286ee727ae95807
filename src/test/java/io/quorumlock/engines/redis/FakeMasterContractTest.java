// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.testing.Ask;
import io.quorumlock.testing.FakeMaster;
import io.quorumlock.testing.RealFleet;
import io.quorumlock.testing.VirtualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** The master contract on the fake, which the tests of the algorithm use. */
class FakeMasterContractTest extends ScanContract {
    private final VirtualTime time = new VirtualTime();
    private final FakeMaster master = new FakeMaster(time, Duration.ofMillis(50), RealFleet.EXTENSIONS_MAX);

    @Override
    MasterReply ask(Ask question) {
        AtomicReference<MasterReply> reply = new AtomicReference<>();
        question.put(master, reply::set);
        time.pass(Duration.ZERO);
        return reply.get();
    }

    @Override
    MonotonicTime now() {
        return time.now();
    }

    @Override
    void letTimePass() {
        time.pass(Duration.ofNanos(123_456_789));
    }

    @Override
    int extensionsMax() {
        return RealFleet.EXTENSIONS_MAX;
    }
}
