// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.zookeeper;

import io.quorumlock.fleet.PolledServer;
import io.quorumlock.fleet.ServerFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Exception.SSLContextException;

/** A server of the ensemble, asked by the command {@code srvr}, the only one that servers allow by default. */
final class ZooKeeperServer implements PolledServer {
    private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\w+)$");

    private static final String NO_LEADER = "not currently serving requests";

    private final InetSocketAddress address;
    private final ZKClientConfig config;
    private final Duration timeout;
    private final Executor workers;

    /** @param workers for the questions, which block their thread */
    ZooKeeperServer(InetSocketAddress address, ZKClientConfig config, Duration timeout, Executor workers) {
        this.address = address;
        this.config = config;
        this.timeout = timeout;
        this.workers = workers;
    }

    @Override
    public String address() {
        String host = address.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    @Override
    public CompletionStage<State> ask() {
        return CompletableFuture.supplyAsync(() -> state(answer()), workers);
    }

    private String answer() {
        try {
            return FourLetterWordMain.send4LetterWord(
                    address.getHostString(), address.getPort(), "srvr", config, (int) timeout.toMillis());
        } catch (IOException | SSLContextException e) {
            throw new CompletionException(e);
        }
    }

    /** Understands the answer. One that only refuses the command still proves contact. */
    static State state(String answer) {
        Matcher mode = MODE.matcher(answer);
        if (mode.find()) {
            return State.of(mode.group(1));
        }
        return answer.contains(NO_LEADER)
                ? State.of(ServerFailure.NO_LEADER, "the server has no leader")
                : new State(Optional.empty(), Optional.empty(), Optional.of(answer.strip()));
    }
}
