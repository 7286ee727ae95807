// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static io.quorumlock.redis.SimulatedReply.list;
import static io.quorumlock.redis.SimulatedReply.number;
import static io.quorumlock.redis.SimulatedReply.text;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.redis.NodeConnection.ServerFacts;
import io.quorumlock.testing.LockStore;
import io.quorumlock.time.MonotonicClock;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A model of one Redis server as the service uses it: data, settings, clock and replies. */
public final class SimulatedServer {
    static final KeyPrefixes KEYS = new KeyPrefixes("lock:", "fence:");
    private static final Map<String, LuaScript> SCRIPTS = Arrays.stream(LuaScript.values())
            .collect(Collectors.toMap(script -> new String(script.sha(), UTF_8), Function.identity()));

    private static final byte[] ADMIT = LuaScript.ADMIT.sha();
    private static final byte[] STEPPED = "stepped".getBytes(UTF_8);

    private final MonotonicClock clock;
    private final LockStore store;
    private final GuardStore guard;
    private final ScriptModel locks;
    private final Listener listener;
    private String runId = "";
    private boolean appends;
    private String fsync = "";
    private boolean knowsScripts = true;

    /** A listener for the commands of a server. */
    public interface Listener {
        /** Called for an acquire. */
        void voteAsked(LeaseToken token);

        /** Called for a vote. */
        void granted(LeaseToken token);

        /** Announces a deleted lock, and returns the number of subscribers. */
        int released(ResourceName resource, boolean passedOn);

        /** Called for an admission. */
        void admitted(String occasion);
    }

    /** @param clock the wall clock in nanoseconds since the epoch, which determines expiry */
    public SimulatedServer(MonotonicClock clock, LockStore store, GuardStore guard, Listener listener) {
        this.clock = clock;
        this.store = store;
        this.listener = listener;
        this.guard = guard;
        this.locks = new ScriptModel(store, KEYS, listener);
    }

    /** Restarts the process. */
    public void start(String newRunId, boolean appendonly, String appendfsync) {
        runId = newRunId;
        configure(appendonly, appendfsync);
        knowsScripts = true;
    }

    /** Changes the settings of the running process. */
    public void configure(boolean appendonly, String appendfsync) {
        appends = appendonly;
        fsync = appendfsync;
    }

    void loadScripts() {
        knowsScripts = true;
    }

    /** Flushes the scripts. */
    public void flushScripts() {
        knowsScripts = false;
    }

    /** Writes the marker of a fleet with this number of nodes. */
    public void found(int nodes) {
        String keeps = appends && fsync.equals("always") ? "1" : "0";
        guard.admit(
                new String[] {runId, Integer.toString(nodes), keeps, "0", "0", "found", "", "0", "id-" + runId, ""});
        guard.endQuarantine();
    }

    public boolean appends() {
        return appends;
    }

    public boolean isQuarantined() {
        return guard.isQuarantined();
    }

    /** Loses all data. */
    public void clear() {
        store.clear();
        guard.clear();
    }

    /** Saves all data, and returns the action that restores them. */
    public Runnable snapshot() {
        Runnable locksKept = store.snapshot();
        Runnable guardKept = guard.snapshot();
        return () -> {
            locksKept.run();
            guardKept.run();
        };
    }

    ServerFacts facts() {
        return new ServerFacts(runId, "master", "standalone", "7.0.15", "noeviction");
    }

    /** Executes one command. */
    public Response answer(Request request) {
        Command command = request.command();
        if (command == Command.TIME) {
            long micros = clock.now().nanos() / 1_000;
            return list(number(micros / 1_000_000), number(micros % 1_000_000));
        }
        String[] args = RequestArguments.of(request);
        if (command == Command.EVALSHA) {
            return script(SCRIPTS.get(args[0]), args);
        }
        if (command == Command.CONFIG) {
            return persistence();
        }
        if (command == Command.SCRIPT) {
            loadScripts();
            return SimulatedReply.OK;
        }
        throw new IllegalArgumentException("the service never sent " + command);
    }

    private Response persistence() {
        return list(
                text("appendonly"),
                text(appends ? "yes" : "no"),
                text("appendfsync"),
                text(fsync),
                text("no-appendfsync-on-rewrite"),
                text("no"));
    }

    private Response script(LuaScript script, String[] args) {
        if (!knowsScripts) {
            return ErrorType.create("NOSCRIPT No matching script. Please use EVAL.");
        }
        return switch (script) {
            case LISTENERS -> number(0);
            case ADMIT -> admit(ScriptModel.rest(args, 5));
            default -> locks.run(script, ScriptModel.rest(args, 2));
        };
    }

    private Response admit(String[] args) {
        Response answer = guard.admit(args);
        listener.admitted(args[5]);
        return answer;
    }

    /** Returns whether a replica requests a quarantine because of a clock step. */
    public static boolean isClockDoubted(Request request) {
        return request.command() == Command.EVALSHA
                && RequestArguments.has(request, 0, ADMIT)
                && RequestArguments.has(request, 10, STEPPED);
    }

    /** Formats a command as readable text. */
    public static String show(Request request) {
        String[] args = RequestArguments.of(request);
        LuaScript script = args.length == 0 ? null : SCRIPTS.get(args[0]);
        return script == null
                ? request.command() + " " + String.join(" ", args)
                : script.command() + " " + String.join(" ", ScriptModel.rest(args, 2));
    }
}
