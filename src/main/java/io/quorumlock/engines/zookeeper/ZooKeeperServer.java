// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.zookeeper;

import io.quorumlock.core.fleet.PolledServer;
import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.fleet.StoreMajority.Identity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.FourLetterWordMain;
import org.apache.zookeeper.common.X509Exception.SSLContextException;
import org.apache.zookeeper.data.Stat;
import org.jboss.logging.Logger;

/**
 * A server of the ensemble. It is asked for its state by the command {@code srvr}, the only one that servers allow by default,
 * and for its ensemble by a session of its own.
 */
final class ZooKeeperServer implements PolledServer {
    private static final Logger LOG = Logger.getLogger(ZooKeeperServer.class);
    private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\w+)$");

    private static final String ALONE = "standalone";
    private static final String NO_LEADER = "not currently serving requests";

    private final InetSocketAddress address;
    private final ZooKeeperSettings settings;
    private final StoreMajority majority;
    private final Executor workers;

    /**
     * @param majority learns to which ensemble the server belongs
     * @param workers for the questions, which block their thread
     */
    ZooKeeperServer(InetSocketAddress address, ZooKeeperSettings settings, StoreMajority majority, Executor workers) {
        this.address = address;
        this.settings = settings;
        this.majority = majority;
        this.workers = workers;
    }

    @Override
    public String address() {
        String host = address.getHostString();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** A server that must not be used may have been repaired since. */
    @Override
    public CompletionStage<State> ask() {
        CompletableFuture<State> state = CompletableFuture.supplyAsync(() -> ofEnsemble(state(answer())), workers);
        return refusal().isEmpty()
                ? state
                : state.thenCompose(answered -> askForEnsemble().thenApply(asked -> answered));
    }

    @Override
    public Optional<String> refusal() {
        return majority.refusal(address());
    }

    /**
     * Asks to which ensemble the server belongs. No ensemble has the root of another one. A server without the root belongs to
     * none, because this replica created the root of its ensemble before it asks; a replica that only reads did not.
     */
    CompletableFuture<Void> askForEnsemble() {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        ZooKeeper session = settings.connect(address(), settings.timeout(), event -> {});
                        session.sync(settings.root(), (code, path, context) -> {}, null);
                        try {
                            Optional<Stat> found = Optional.ofNullable(session.exists(settings.root(), false));
                            if (settings.readOnly() || found.isPresent()) {
                                majority.told(address(), new Identity(ensemble(found), address()));
                            }
                        } finally {
                            session.close();
                        }
                    } catch (IOException | KeeperException unreachable) {
                        LOG.debugf("server %s does not tell its ensemble: %s", address(), unreachable);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                workers);
    }

    /** Returns the id of an ensemble: the write that created the root. */
    static String ensemble(Optional<Stat> root) {
        return root.map(stat -> Long.toHexString(stat.getCzxid()) + "@" + stat.getCtime())
                .orElse("no root");
    }

    private String answer() {
        try {
            return FourLetterWordMain.send4LetterWord(
                    address.getHostString(),
                    address.getPort(),
                    "srvr",
                    settings.security().config(),
                    (int) settings.timeout().toMillis());
        } catch (IOException | SSLContextException e) {
            throw new CompletionException(e);
        }
    }

    /** A server without others is no member of an ensemble of several, for example after the loss of its disk. */
    private State ofEnsemble(State state) {
        boolean isAlone =
                state.role().equals(Optional.of(ALONE)) && settings.servers().contains(",");
        return isAlone
                ? State.of(
                        ServerFailure.REFUSED,
                        "is a server without others, but several are configured: join it to them")
                : state;
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
