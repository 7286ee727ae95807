// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.engines.masters.RedisFleet;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.redis.KeyPrefixes;
import io.quorumlock.engines.redis.LinkSettings;
import io.quorumlock.engines.redis.MasterAddress;
import io.quorumlock.engines.redlock.LockMaster;
import io.quorumlock.engines.redlock.MasterReply;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** The production Redis code on real servers, without the rest of the service. */
public final class RealFleet implements AutoCloseable {
    public static final int EXTENSIONS_MAX = 3;
    public static final Duration NODE_TIMEOUT = Duration.ofSeconds(5);

    private static final RestartGuard NO_GUARD = new RestartGuard(false, false, Duration.ZERO, false);

    public final RealLoop loop = new RealLoop();
    public final RedisFleet fleet;
    public final Queue<ServerFailure> failures = new ConcurrentLinkedQueue<>();
    public final List<String> misfits;

    public RealFleet(URI... urls) {
        this(Duration.ofSeconds(10), urls);
    }

    public RealFleet(Duration connectTimeout, URI... urls) {
        this(link(connectTimeout, Optional.empty()), NO_GUARD, urls);
    }

    /** Creates a fleet with the short command timeout of production, far shorter than the connect timeout. */
    public static RealFleet withShortTimeout(URI... urls) {
        LinkSettings link = new LinkSettings(Duration.ofMillis(100), Duration.ofSeconds(10), Optional.empty());
        return new RealFleet(link, NO_GUARD, urls);
    }

    /** Creates a fleet that trusts these certificate authorities. */
    public static RealFleet trusting(Path authorities, URI... urls) {
        return new RealFleet(link(Duration.ofSeconds(10), Optional.of(authorities)), NO_GUARD, urls);
    }

    /** Creates a fleet with a restart guard, of masters that persist every write. */
    public static RealFleet guarded(Duration quarantine, URI... urls) {
        return guarded(new RestartGuard(true, true, quarantine, false), urls);
    }

    /** Creates a fleet with a restart guard, of masters that may lose their data in a restart. */
    public static RealFleet forgetful(Duration quarantine, URI... urls) {
        return guarded(new RestartGuard(true, false, quarantine, false), urls);
    }

    public static RealFleet guarded(RestartGuard guard, URI... urls) {
        return new RealFleet(link(Duration.ofSeconds(10), Optional.empty()), guard, urls);
    }

    private static LinkSettings link(Duration connectTimeout, Optional<Path> authorities) {
        return new LinkSettings(NODE_TIMEOUT, connectTimeout, authorities);
    }

    private RealFleet(LinkSettings link, RestartGuard guard, URI... urls) {
        List<MasterAddress> addresses = Arrays.stream(urls)
                .map(url -> new MasterAddress(url.toString()))
                .toList();
        fleet = new RedisFleet(
                addresses,
                new RedisFleet.Settings(link, new KeyPrefixes("lock:", "fence:"), EXTENSIONS_MAX, guard),
                loop.vertx,
                loop.engineContext,
                new Failures());
        misfits = RealLoop.await(fleet.open(Duration.ofSeconds(10)));
    }

    public LockMaster master() {
        return fleet.lockMasters().get(0);
    }

    /** Returns the reply of the first master. */
    public MasterReply ask(Ask question) {
        CompletableFuture<MasterReply> reply = new CompletableFuture<>();
        onLoop(() -> question.put(master(), reply::complete));
        return RealLoop.await(reply);
    }

    /** Sends the questions as one batch, and returns their replies. */
    public List<MasterReply> askTogether(Ask... questions) {
        List<CompletableFuture<MasterReply>> replies = Stream.of(questions)
                .map(question -> new CompletableFuture<MasterReply>())
                .toList();
        onLoop(() -> {
            for (int i = 0; i < questions.length; i++) {
                questions[i].put(master(), replies.get(i)::complete);
            }
        });
        return replies.stream().map(RealLoop::await).toList();
    }

    /** Runs a task on the event loop that owns the masters. */
    public void onLoop(Runnable task) {
        loop.engineContext.loop().execute(task);
    }

    @Override
    public void close() {
        CompletableFuture<Void> closed = fleet.close();
        RealLoop.await(closed);
        loop.close();
    }

    private final class Failures implements ServerListener {
        @Override
        public void answered(String master, String command, Duration elapsed) {
            // Tests check only failures.
        }

        @Override
        public void failed(String master, ServerFailure reason) {
            failures.add(reason);
        }

        @Override
        public void restarted(String master) {
            // Tests read the status of the master.
        }
    }
}
