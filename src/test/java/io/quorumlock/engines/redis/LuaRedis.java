// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.engines.redis.Keyspace.Entry;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.BulkType;
import io.vertx.redis.client.impl.types.MultiType;
import io.vertx.redis.client.impl.types.NumberType;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.MathLib;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;

/** An in-memory Redis that runs the production scripts: strings and hashes with expiry, and the few commands that the scripts call. */
final class LuaRedis {
    private static final String WRONG_TYPE = "WRONGTYPE ScriptOperation against a key holding the wrong kind of value";
    private static final int SCANNED_AT_ONCE = 3;
    private static final Duration HALF_A_MILLISECOND = Duration.ofNanos(500_000);

    private final Keyspace keys;
    private final MonotonicClock clock;
    private final Publisher publisher;
    private final Globals globals = new Globals();

    /** The subscribers of channels. */
    interface Publisher {
        int subscribers(String channel);

        void publish(String channel, String message);
    }

    LuaRedis(MonotonicClock clock, Publisher publisher) {
        this.clock = clock;
        this.keys = new Keyspace(clock);
        this.publisher = publisher;
        globals.load(new BaseLib());
        globals.load(new PackageLib());
        globals.load(new TableLib());
        globals.set("unpack", globals.get("table").get("unpack"));
        globals.load(new StringLib());
        globals.load(new MathLib());
        LuaTable redis = new LuaTable();
        LuaValue command = new VarArgFunction() {
            @Override
            public Varargs invoke(Varargs arguments) {
                return execute(arguments);
            }
        };
        redis.set("call", command);
        redis.set("pcall", command);
        globals.set("redis", redis);
    }

    /** Runs one operation as a batch of its own, and returns its reply. */
    Response run(Call call) {
        List<String> given = List.of(RequestArguments.of(Call.batch(List.of(call))));
        int arguments = 2 + Integer.parseInt(given.get(1));
        return run(LuaScript.BATCH, given.subList(2, arguments), given.subList(arguments, given.size()));
    }

    /** Runs one script, as EVALSHA does. */
    Response run(LuaScript script, List<String> locks, List<String> arguments) {
        globals.set("KEYS", table(locks));
        globals.set("ARGV", table(arguments));
        return response(new LuaClosure(CompiledScripts.of(script), globals).call());
    }

    void clear() {
        keys.clear();
    }

    /** Returns the value of a string; null if there is none. */
    String value(String key) {
        Entry entry = keys.get(key);
        return entry == null ? null : entry.value();
    }

    boolean holdsAny(String prefix) {
        return keys.keys().stream().anyMatch(key -> key.startsWith(prefix));
    }

    Keyspace keys() {
        return keys;
    }

    private static LuaValue type(Entry entry) {
        return reply("ok", entry == null ? "none" : entry.hash() == null ? "string" : "hash");
    }

    private LuaValue publish(String channel, String message) {
        publisher.publish(channel, message);
        return LuaValue.valueOf(publisher.subscribers(channel));
    }

    private LuaValue subscribers(Varargs channels) {
        return LuaTable.listOf(IntStream.rangeClosed(3, channels.narg())
                .mapToObj(channels::arg)
                .flatMap(channel -> Stream.of(channel, LuaValue.valueOf(publisher.subscribers(channel.checkjstring()))))
                .toArray(LuaValue[]::new));
    }

    private LuaValue execute(Varargs command) {
        String name = command.checkjstring(1);
        if (name.equals("TIME")) {
            return clockTable();
        }
        if (name.equals("SCAN")) {
            return scan(command);
        }
        String key = command.checkjstring(2);
        Entry entry = keys.get(key);
        boolean ofHash = name.startsWith("H");
        boolean ofString = name.startsWith("GET") || name.equals("INCR");
        if (entry != null && (ofHash && entry.hash() == null || ofString && entry.hash() != null)) {
            return reply("err", WRONG_TYPE);
        }
        return switch (name) {
            case "GET", "GETRANGE" -> bulk(entry);
            case "SET" -> set(key, command);
            case "INCR" -> increment(key);
            case "DEL" -> LuaValue.valueOf(
                    (int) existing(command).filter(keys::delete).count());
            case "TYPE" -> type(entry);
            case "EXISTS" -> LuaValue.valueOf((int) existing(command).count());
            case "PTTL" -> LuaValue.valueOf(millisLeft(entry));
            case "HGET" -> field(keys.hash(key).get(command.checkjstring(3)));
            case "HMGET" -> fields(keys.hash(key), command);
            case "HGETALL" -> table(keys.hash(key).entrySet().stream()
                    .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                    .toList());
            case "HLEN" -> LuaValue.valueOf(keys.hash(key).size());
            case "HSET" -> setFields(key, command);
            case "HDEL" -> LuaValue.valueOf(keys.deleteField(key, command.checkjstring(3)) ? 1 : 0);
            case "PEXPIRE" -> LuaValue.valueOf(
                    keys.expire(key, Duration.ofMillis((long) command.checkdouble(3))) ? 1 : 0);
            case "PUBSUB" -> subscribers(command);
            case "PUBLISH" -> publish(key, command.checkjstring(3));
            default -> throw new IllegalArgumentException("unknown command " + name);
        };
    }

    private Stream<String> existing(Varargs command) {
        return IntStream.rangeClosed(2, command.narg())
                .mapToObj(command::checkjstring)
                .filter(key -> keys.get(key) != null);
    }

    private LuaValue set(String key, Varargs command) {
        Entry before = keys.get(key);
        MonotonicTime end = null;
        boolean replaced = false;
        for (int i = 4; i <= command.narg(); i++) {
            String option = command.checkjstring(i).toUpperCase(Locale.ROOT);
            switch (option) {
                case "NX", "XX" -> {
                    if ((before == null) == option.equals("XX")) {
                        return LuaValue.FALSE;
                    }
                }
                case "PX" -> end = clock.now().plus(Duration.ofMillis((long) command.checkdouble(++i)));
                case "KEEPTTL" -> end = before == null ? null : before.end();
                case "GET" -> replaced = true;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (replaced && before != null && before.hash() != null) {
            return reply("err", WRONG_TYPE);
        }
        keys.set(key, command.checkjstring(3), end);
        if (replaced) {
            return bulk(before);
        }
        return reply("ok", "OK");
    }

    void set(String key, String value, Duration expiry) {
        keys.set(key, value, clock.now().plus(expiry));
    }

    /** Returns the reply to TIME. */
    Response time() {
        return response(clockTable());
    }

    private LuaValue clockTable() {
        long micros = clock.now().nanos() / 1_000;
        return table(List.of(Long.toString(micros / 1_000_000), Long.toString(micros % 1_000_000)));
    }

    /** Returns a few keys per step, in an order that differs from that of the API. Only the start of the pattern counts. */
    private LuaValue scan(Varargs command) {
        String prefix = command.checkjstring(4).split("[\\\\*?\\[]", 2)[0];
        List<String> all = keys.keys().stream()
                .filter(key -> key.startsWith(prefix))
                .sorted(Comparator.reverseOrder())
                .toList();
        int from = Math.min(all.size(), Integer.parseInt(command.checkjstring(2)));
        int end = Math.min(all.size(), from + SCANNED_AT_ONCE);
        LuaTable page = new LuaTable();
        page.set(1, end < all.size() ? Integer.toString(end) : "0");
        page.set(2, table(all.subList(from, end)));
        return page;
    }

    private static LuaValue field(String value) {
        return value == null ? LuaValue.FALSE : LuaValue.valueOf(value);
    }

    private static LuaValue fields(Map<String, String> hash, Varargs command) {
        LuaTable values = new LuaTable();
        for (int i = 3; i <= command.narg(); i++) {
            values.set(i - 2, field(hash.get(command.checkjstring(i))));
        }
        return values;
    }

    private LuaValue setFields(String key, Varargs command) {
        int before = keys.hash(key).size();
        for (int i = 3; i < command.narg(); i += 2) {
            keys.setField(key, command.checkjstring(i), command.checkjstring(i + 1));
        }
        return LuaValue.valueOf(keys.hash(key).size() - before);
    }

    void setField(String key, String field, String value) {
        keys.setField(key, field, value);
    }

    private static LuaValue reply(String kind, String text) {
        LuaTable reply = new LuaTable();
        reply.set(kind, text);
        return reply;
    }

    private LuaValue increment(String key) {
        Entry before = keys.get(key);
        long next = before == null ? 1 : Long.parseLong(before.value()) + 1;
        keys.set(key, Long.toString(next), before == null ? null : before.end());
        return LuaValue.valueOf((double) next);
    }

    private int millisLeft(Entry entry) {
        if (entry == null) {
            return -2;
        }
        return entry.end() == null
                ? -1
                : (int) entry.end().since(clock.now()).plus(HALF_A_MILLISECOND).toMillis();
    }

    private static LuaValue bulk(Entry entry) {
        return entry == null ? LuaValue.FALSE : LuaValue.valueOf(entry.value());
    }

    private static LuaTable table(List<String> texts) {
        LuaTable table = new LuaTable();
        for (int i = 0; i < texts.size(); i++) {
            table.set(i + 1, texts.get(i));
        }
        return table;
    }

    private static Response response(LuaValue value) {
        if (value.isnumber() && value.type() == LuaValue.TNUMBER) {
            return NumberType.create(value.tolong());
        }
        if (value.isstring()) {
            return BulkType.create(Buffer.buffer(value.tojstring()), false);
        }
        LuaTable table = value.checktable();
        MultiType list = MultiType.create(table.length(), false);
        for (int i = 1; i <= table.length(); i++) {
            list.add(response(table.get(i)));
        }
        return list;
    }
}
