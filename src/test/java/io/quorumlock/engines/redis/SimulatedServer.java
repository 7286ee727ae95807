// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import static io.quorumlock.engines.redis.SimulatedReply.list;
import static io.quorumlock.engines.redis.SimulatedReply.text;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.engines.masters.RestartGuard;
import io.quorumlock.engines.masters.SimulatedFleet;
import io.quorumlock.engines.redis.MasterConnection.ServerFacts;
import io.quorumlock.engines.redlock.MasterReply;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import io.vertx.redis.client.impl.types.ErrorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** A Redis server in memory that runs the production scripts: data, settings, clock and replies. */
public final class SimulatedServer {
    public static final KeyPrefixes KEYS = new KeyPrefixes("lock:", "fence:");
    private static final String QUARANTINE = "quorumlock:quarantine/";
    private static final String RELEASES = "quorumlock:released:" + KEYS.lock();
    static final Map<String, LuaScript> SCRIPTS = Arrays.stream(LuaScript.values())
            .collect(Collectors.toMap(script -> new String(script.sha(), UTF_8), Function.identity()));

    private static final byte[] ADMIT = LuaScript.ADMIT.sha();
    private static final Duration LIST_KEPT = Duration.ofSeconds(5);
    private static final int STEPPED = 11;
    private static final int FOUNDED = 12;
    private static final byte[] DOUBTED = "stepped".getBytes(UTF_8);

    private final MonotonicClock clock;
    private final int counters;
    private final LuaRedis redis;
    private final Listener listener;
    private String runId = "";
    private boolean keepsWrites;
    private boolean knowsScripts = true;

    /** A listener for the commands of a server. */
    public interface Listener {
        /** Called for an acquire. */
        void voteAsked(LeaseToken token);

        /** Called for a vote. */
        void granted(LeaseToken token);

        /** Returns the number of replicas that are subscribed to the releases of a lock. */
        int subscribed(ResourceName resource);

        /** Announces a deleted lock to the subscribers. */
        void released(ResourceName resource, long fence, int replicas);

        /** Called for an admission. */
        void admitted(boolean stepped, boolean founded);
    }

    /**
     * @param clock the wall clock in nanoseconds since the epoch, which determines expiry
     * @param counters of fencing tokens, shared by all resources
     */
    public SimulatedServer(MonotonicClock clock, int counters, Listener listener) {
        this.clock = clock;
        this.counters = counters;
        this.listener = listener;
        this.redis = new LuaRedis(clock, new LuaRedis.Publisher() {
            @Override
            public int subscribers(String channel) {
                // Nobody subscribes to the events of all locks.
                return channel.startsWith(RELEASES) ? listener.subscribed(resource(channel)) : 0;
            }

            @Override
            public void publish(String channel, String message) {
                String[] fields = (message.isEmpty() ? "0 0" : message).split(" ");
                listener.released(resource(channel), Long.parseLong(fields[0]), Integer.parseInt(fields[1]));
            }

            private ResourceName resource(String channel) {
                return new ResourceName(channel.substring(RELEASES.length()));
            }
        });
    }

    /** Restarts the process. */
    public void start(String newRunId, boolean persistsEveryWrite) {
        runId = newRunId;
        keepsWrites = persistsEveryWrite;
        knowsScripts = true;
    }

    public void loadScripts() {
        knowsScripts = true;
    }

    /** Flushes the scripts. */
    public void flushScripts() {
        knowsScripts = false;
    }

    /** Writes the marker of a running fleet with this number of masters, at its place in their list. */
    public void found(int place, int masters) {
        redis.set("quorumlock:masters/", RestartGuard.inUse(SimulatedFleet.masters(masters)), LIST_KEPT);
        redis.setField("quorumlock:marker/", "run_id", runId);
        redis.setField("quorumlock:marker/", "place", Integer.toString(place));
        redis.setField("quorumlock:marker/", "new", "");
    }

    public boolean isQuarantined() {
        return redis.holdsAny(QUARANTINE);
    }

    /** Returns whether there is no lock. Fencing counters do not count. */
    public boolean isEmpty() {
        return !redis.holdsAny(KEYS.lock());
    }

    public MasterReply inspect(ResourceName resource) {
        Call call = Call.of(ScriptOperation.INSPECT, List.of(KEYS.lockOf(resource)), List.of());
        return ScriptReplies.read(redis.run(call), ScriptReplies::toInspect);
    }

    /** Deletes only one lock. */
    public void evict(ResourceName resource) {
        redis.keys().delete(KEYS.lockOf(resource));
    }

    /** Loses all data. */
    public void clear() {
        redis.clear();
    }

    /** Takes over the data of another server, as its replica. */
    public void copy(SimulatedServer other) {
        redis.keys().copy(other.redis.keys());
    }

    /** Saves all data, and returns the action that restores them. */
    public Runnable snapshot() {
        return redis.keys().snapshot();
    }

    public ServerFacts facts() {
        return new ServerFacts(runId, "master", "standalone", "7.0.15", "noeviction");
    }

    /** Executes one command. */
    public Response answer(Request request) {
        Command command = request.command();
        if (command == Command.EVALSHA) {
            return script(request);
        }
        if (command == Command.TIME) {
            return redis.time();
        }
        if (command == Command.GET) {
            String value = redis.value(RequestArguments.of(request)[0]);
            return value == null ? null : text(value);
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
                text(keepsWrites ? "yes" : "no"),
                text("appendfsync"),
                text("always"),
                text("no-appendfsync-on-rewrite"),
                text("no"));
    }

    private Response script(Request request) {
        if (!knowsScripts) {
            return ErrorType.create("NOSCRIPT No matching script. Please use EVAL.");
        }
        List<String> given = List.of(RequestArguments.of(request));
        LuaScript script = SCRIPTS.get(given.get(0));
        int firstArgument = 2 + Integer.parseInt(given.get(1));
        List<String> arguments = given.subList(firstArgument, given.size());
        if (script == LuaScript.ADMIT) {
            listener.admitted(isClockDoubted(request), !RequestArguments.has(request, FOUNDED, new byte[0]));
            return redis.run(script, given.subList(2, firstArgument), arguments);
        }
        return batch(given, SentCall.parse(given), arguments);
    }

    private Response batch(List<String> given, List<SentCall> calls, List<String> arguments) {
        List<String> all = new ArrayList<>(given);
        calls.forEach(call -> shareCounters(call, all));
        calls.stream().filter(SimulatedServer::isAcquire).forEach(call -> listener.voteAsked(token(call)));
        Response answer = redis.run(LuaScript.BATCH, all.subList(2, given.size() - arguments.size()), arguments);
        List<Response> replies = ScriptReplies.ofBatch(answer, calls.size());
        for (int i = 0; i < calls.size(); i++) {
            if (isAcquire(calls.get(i)) && replies.get(i).type() == ResponseType.NUMBER) {
                listener.granted(token(calls.get(i)));
            }
        }
        return answer;
    }

    private static boolean isAcquire(SentCall call) {
        return call.command().equals("acquire") || call.command().equals("join");
    }

    private static LeaseToken token(SentCall call) {
        String value = call.arguments().get(0);
        return new LeaseToken(value.substring(0, value.indexOf(' ')));
    }

    /** Replaces the counters of a call by a few. */
    private void shareCounters(SentCall call, List<String> all) {
        if (isAcquire(call) || List.of("raise", "restore").contains(call.command())) {
            int locks = call.keys().size() / 2;
            for (int i = locks; i < 2 * locks; i++) {
                String counter = call.keys().get(i);
                all.set(call.firstKey() + i, KEYS.fence() + Math.floorMod(counter.hashCode(), counters) + "/");
            }
        }
    }

    /** Returns whether a replica requests a quarantine because of a clock step. */
    public static boolean isClockDoubted(Request request) {
        return request.command() == Command.EVALSHA
                && RequestArguments.has(request, 0, ADMIT)
                && RequestArguments.has(request, STEPPED, DOUBTED);
    }

    /** Formats a command as readable text. */
    public static String show(Request request) {
        String[] args = RequestArguments.of(request);
        LuaScript script = args.length == 0 ? null : SCRIPTS.get(args[0]);
        return script == null
                ? request.command() + " " + String.join(" ", args)
                : script.name() + " " + String.join(" ", Arrays.copyOfRange(args, 2, args.length));
    }
}
