// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import com.google.protobuf.ByteString;
import io.quorumlock.core.fleet.ServerListener;
import io.quorumlock.core.fleet.StoreMajority;
import io.quorumlock.core.lock.NoQuorumReason.Effect;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.EngineContext;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.consensus.GroupCommit;
import io.quorumlock.engines.consensus.RecordLayout;
import io.quorumlock.engines.consensus.StoreConnection;
import io.quorumlock.engines.consensus.StoreReply;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * The store of records on an etcd cluster, by a connection with one member. If the member is silent for some timeouts, or its
 * watch ends or does not begin, another one is used. After each connect, and before the first call, the names of all records are
 * read, and watched from then on. A call without a reply is not repeated.
 *
 * <p>All state declared here is confined to the event loop.
 */
public final class EtcdStore extends StoreConnection {
    private static final Logger LOG = Logger.getLogger(EtcdStore.class);
    private static final Duration RETRY_DELAY = Duration.ofMillis(500);
    private static final int NAMES_PER_READ = 1_000;
    /** A member that is silent for so many timeouts is given up. */
    private static final int MOST_SILENCE = 3;

    /** Field of the answer of a transaction. */
    private static final int SUCCEEDED = 2;
    // Fields of the answer of a range.
    private static final int HEADER = 1;
    private static final int REVISION = 3;
    private static final int KVS = 2;
    private static final int MORE = 3;
    // Fields of a report, and of an event in it.
    private static final int CREATED = 3;
    private static final int CANCELED = 4;
    private static final int COMPACT_REVISION = 5;
    private static final int CANCEL_REASON = 6;
    private static final int EVENTS = 11;
    private static final int TYPE = 1;
    private static final int KEY_VALUE = 2;
    private static final int DELETE = 1;

    private final EtcdSettings settings;
    private final RecordKeys keys;
    private final List<EtcdServer> members;
    private final StoreMajority majority;
    private final Vertx vertx;
    private final EngineContext engineContext;
    /** Replicas begin with different members, so that the loss of one does not disconnect all of them. */
    private final int firstMember;

    private Watcher watcher;
    /** The number of the present connection. What earlier ones receive is dropped. */
    private int connections;

    EtcdMember member;
    private GroupCommit transactions;
    /** The records that existed before the watch, until they are reported. */
    private List<ResourceName> existing = List.of();

    private MonotonicTime lastContact;

    public EtcdStore(EtcdSettings settings, Vertx vertx, EngineContext engineContext, ServerListener listener) {
        super(settings.timeout(), engineContext, listener);
        this.settings = settings;
        this.keys = new RecordKeys(settings.root());
        this.majority = new StoreMajority(settings.members().size());
        this.members = settings.members().stream()
                .map(address -> new EtcdServer(address, settings, majority, vertx))
                .toList();
        this.vertx = vertx;
        this.engineContext = engineContext;
        this.firstMember = engineContext.random().nextInt(members.size());
    }

    /** Also connects to the cluster, and reconnects until closed. */
    @Override
    public void watch(Watcher listener) {
        watcher = listener;
        connect();
    }

    @Override
    public List<EtcdServer> members() {
        return members;
    }

    @Override
    public void read(List<ResourceName> names, Consumer<StoreReply> reply) {
        call(READ, Effect.NONE, reply, call -> member.call(Requests.TXN, Requests.read(names, keys))
                .map(answer -> new StoreReply.Found(RecordKeys.found(names, answer)))
                .onSuccess(call::end)
                .onFailure(failure -> call.end(new StoreReply.Failed(Effect.NONE))));
    }

    @Override
    public void commit(List<Change> changes, Consumer<StoreReply> reply) {
        call(COMMIT, Effect.NONE, reply, call -> transactions.commit(changes, call));
    }

    @Override
    public void writeUptime(StoredUptime read, String text) {
        if (isReady()) {
            int connection = connections;
            member.call(Requests.TXN, Requests.writeUptime(read, text, keys))
                    .onComplete(written -> run(connection, () -> reportUptime(connection)));
        }
    }

    private Future<Void> reportUptime(int connection) {
        return member.call(Requests.RANGE, Requests.range(keys.uptime())).map(answer -> {
            StoredUptime present = RecordKeys.uptime(answer);
            run(connection, () -> watcher.uptime(present));
            return null;
        });
    }

    @Override
    public CompletableFuture<Void> close() {
        members.forEach(EtcdServer::close);
        return CompletableFuture.runAsync(
                () -> {
                    connections++;
                    down();
                    member.close();
                },
                engineContext.loop());
    }

    /** A step of one connection, which the event loop leaves out if the connection is no longer the present one. */
    private void run(int connection, Runnable step) {
        engineContext.loop().execute(() -> {
            if (connection == connections) {
                step.run();
            }
        });
    }

    private void connect() {
        int connection = connections;
        int place = (firstMember + connection) % settings.members().size();
        member = new EtcdMember(settings.members().get(place), settings, majority, vertx);
        transactions = new GroupCommit(
                new Transactions(member, keys, engineContext.loop()),
                Transactions.MOST_OPERATIONS,
                engineContext.loop());
        lastContact = engineContext.clock().now();
        chooseCluster()
                .compose(chosen -> member.call(Requests.RANGE, Requests.range(keys.layout())))
                .compose(this::checkLayout)
                .compose(checked -> reportUptime(connection))
                .compose(reported -> readNames(Optional.empty(), new Names(new ArrayList<>(), 0)))
                .onSuccess(names -> run(connection, () -> watchFrom(connection, names)))
                .onFailure(failure -> run(connection, () -> lose(failure.getMessage())));
        checkContact(connection);
    }

    /** Asks all members before the first use of one. From then on, the answers of another cluster are failures. */
    private Future<String> chooseCluster() {
        CompletableFuture<String> chosen = majority.chosen();
        if (!chosen.isDone()) {
            CompletableFuture.allOf(members.stream()
                            .map(server -> server.ask().toCompletableFuture())
                            .toArray(CompletableFuture[]::new))
                    .whenComplete((all, failure) ->
                            chosen.completeExceptionally(new VertxException(majority.problem(), true)));
        }
        return Future.fromCompletionStage(chosen);
    }

    /** The first replica writes the layout. */
    private Future<Void> checkLayout(Message read) {
        Optional<String> layout = RecordKeys.text(read);
        if (layout.isPresent()) {
            return checkLayout(layout);
        }
        if (settings.readOnly()) {
            ByteString first = Requests.keys(keys.first(Optional.empty()), keys.end(), 0, 1);
            return member.call(Requests.RANGE, first)
                    .compose(answer -> answer.messages(KVS).isEmpty() ? Future.succeededFuture() : checkLayout(layout));
        }
        return member.call(Requests.TXN, Requests.createLayout(keys, RecordLayout.VERSION))
                .compose(answer -> answer.isTrue(SUCCEEDED)
                        ? Future.succeededFuture()
                        : checkLayout(RecordKeys.textInAnswer(answer)));
    }

    private Future<Void> checkLayout(Optional<String> layout) {
        return RecordLayout.refusal(layout).map(Future::<Void>failedFuture).orElseGet(Future::succeededFuture);
    }

    /** The names of all records at a revision of the store. */
    private record Names(List<ResourceName> all, long revision) {}

    /** Reads the names page by page, all as they were at the first page. */
    private Future<Names> readNames(Optional<ResourceName> after, Names before) {
        ByteString range = Requests.keys(keys.first(after), keys.end(), before.revision(), NAMES_PER_READ);
        return member.call(Requests.RANGE, range).compose(answer -> {
            List<ResourceName> page = answer.messages(KVS).stream()
                    .flatMap(keyValue -> keys.nameOf(keyValue).stream())
                    .toList();
            before.all().addAll(page);
            Names names = new Names(
                    before.all(),
                    before.revision() > 0
                            ? before.revision()
                            : answer.message(HEADER).number(REVISION));
            boolean more = answer.isTrue(MORE) && !page.isEmpty();
            return more ? readNames(Optional.of(page.get(page.size() - 1)), names) : Future.succeededFuture(names);
        });
    }

    private void watchFrom(int connection, Names names) {
        existing = names.all();
        member.watch(
                Requests.watch(keys.first(Optional.empty()), keys.end(), names.revision() + 1),
                message -> run(connection, () -> receive(message)),
                reason -> run(connection, () -> lose(reason)));
        engineContext
                .scheduler()
                .after(
                        settings.timeout().multipliedBy(MOST_SILENCE),
                        () -> run(connection, () -> {
                            if (!isReady()) {
                                lose("no watch");
                            }
                        }));
    }

    private void receive(Message message) {
        if (message.isTrue(CANCELED)) {
            boolean compacted = message.number(COMPACT_REVISION) > 0;
            lose(compacted ? "changes were compacted before they were reported" : message.text(CANCEL_REASON));
            return;
        }
        if (message.isTrue(CREATED)) {
            watcher.restarted();
            existing.forEach(watcher::exists);
            existing = List.of();
            watcher.listed();
            up();
            LOG.infof("store up member=%s", member.address());
        }
        try {
            message.messages(EVENTS).forEach(this::report);
        } catch (UncheckedIOException malformed) {
            lose(malformed.getMessage());
        }
    }

    private void report(Message event) {
        Message keyValue = event.message(KEY_VALUE);
        keys.nameOf(keyValue).ifPresent(name -> {
            if (event.number(TYPE) == DELETE) {
                watcher.removed(name, RecordKeys.revision(keyValue));
            } else {
                watcher.written(RecordKeys.record(name, keyValue));
            }
        });
    }

    /** Asks for a small key, again and again: only a member that has contact to a majority answers. */
    private void checkContact(int connection) {
        Duration silent = engineContext.clock().now().since(lastContact);
        if (silent.compareTo(settings.timeout().multipliedBy(MOST_SILENCE)) > 0) {
            lose("silent");
            return;
        }
        member.call(Requests.RANGE, Requests.range(keys.layout()))
                .onSuccess(answer -> run(
                        connection, () -> lastContact = engineContext.clock().now()))
                .onFailure(failure -> run(
                        connection,
                        () -> majority.otherStore(member.address().toString()).ifPresent(this::lose)));
        engineContext.scheduler().after(settings.timeout(), () -> run(connection, () -> checkContact(connection)));
    }

    private void lose(String reason) {
        int lost = ++connections;
        transactions.close();
        member.close();
        if (down()) {
            watcher.lost(lastContact.plus(settings.timeout().negated()));
        }
        if (setProblem(reason)) {
            LOG.warnf("store down member=%s reason=\"%s\"", member.address(), reason);
        }
        engineContext.scheduler().after(RETRY_DELAY, () -> run(lost, this::connect));
    }
}
