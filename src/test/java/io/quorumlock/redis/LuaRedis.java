// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import io.vertx.core.buffer.Buffer;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.BulkType;
import io.vertx.redis.client.impl.types.MultiType;
import io.vertx.redis.client.impl.types.NumberType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.luaj.vm2.Globals;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Prototype;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.compiler.LuaC;
import org.luaj.vm2.lib.BaseLib;
import org.luaj.vm2.lib.MathLib;
import org.luaj.vm2.lib.PackageLib;
import org.luaj.vm2.lib.StringLib;
import org.luaj.vm2.lib.TableLib;
import org.luaj.vm2.lib.VarArgFunction;

/** An in-memory Redis that runs the production scripts: strings with expiry, and the few commands that the scripts call. */
final class LuaRedis {
    private static final Map<LuaScript, Prototype> COMPILED = compiled();
    private static final int SCANNED_AT_ONCE = 3;
    private static final Duration HALF_A_MILLISECOND = Duration.ofNanos(500_000);

    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, Map<String, String>> hashes = new HashMap<>();
    private final MonotonicClock clock;
    private final Publisher publisher;
    private final Globals globals = new Globals();

    /** @param end null for a key without expiry */
    private record Entry(String value, MonotonicTime end) {}

    /** The subscribers of channels. */
    interface Publisher {
        int subscribers(String channel);

        void publish(String channel, String message);
    }

    LuaRedis(MonotonicClock clock, Publisher publisher) {
        this.clock = clock;
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

    /** Runs one script, as EVALSHA does. */
    Response run(LuaScript script, List<String> keys, List<String> arguments) {
        globals.set("KEYS", table(keys));
        globals.set("ARGV", table(arguments));
        return response(new LuaClosure(COMPILED.get(script), globals).call());
    }

    void clear() {
        entries.clear();
        hashes.clear();
    }

    void delete(String key) {
        entries.remove(key);
    }

    /** Returns the value of a string; null if there is none. */
    String value(String key) {
        Entry entry = get(key);
        return entry == null ? null : entry.value();
    }

    boolean holdsAny(String prefix) {
        return List.copyOf(entries.keySet()).stream().anyMatch(key -> key.startsWith(prefix) && get(key) != null);
    }

    Runnable snapshot() {
        Map<String, Entry> kept = Map.copyOf(entries);
        Map<String, Map<String, String>> keptHashes = Map.copyOf(hashes);
        return () -> {
            entries.clear();
            entries.putAll(kept);
            hashes.clear();
            hashes.putAll(keptHashes);
        };
    }

    private LuaValue publish(String channel, String message) {
        publisher.publish(channel, message);
        return LuaValue.valueOf(publisher.subscribers(channel));
    }

    private LuaValue execute(Varargs command) {
        String name = command.checkjstring(1);
        if (name.equals("TIME")) {
            return time();
        }
        if (name.equals("SCAN")) {
            return scan(command);
        }
        String key = command.checkjstring(2);
        return switch (name) {
            case "GET" -> bulk(get(key));
            case "GETRANGE" -> bulk(get(key));
            case "SET" -> set(key, command);
            case "GETSET" -> getSet(key, command.checkjstring(3));
            case "INCR" -> increment(key);
            case "DEL" -> LuaValue.valueOf((int)
                    existing(command).filter(one -> entries.remove(one) != null).count());
            case "EXISTS" -> LuaValue.valueOf((int) existing(command).count());
            case "PTTL" -> LuaValue.valueOf(millisLeft(get(key)));
            case "HMGET" -> fields(hashes.getOrDefault(key, Map.of()), command);
            case "HSET" -> setFields(key, command);
            case "PUBSUB" -> LuaTable.listOf(
                    new LuaValue[] {command.arg(3), LuaValue.valueOf(publisher.subscribers(command.checkjstring(3)))});
            case "PUBLISH" -> publish(key, command.checkjstring(3));
            default -> throw new IllegalArgumentException("unknown command " + name);
        };
    }

    private Stream<String> existing(Varargs command) {
        return IntStream.rangeClosed(2, command.narg())
                .mapToObj(command::checkjstring)
                .filter(key -> get(key) != null);
    }

    private LuaValue set(String key, Varargs command) {
        Entry before = get(key);
        MonotonicTime end = null;
        for (int i = 4; i <= command.narg(); i++) {
            switch (command.checkjstring(i).toUpperCase(Locale.ROOT)) {
                case "NX" -> {
                    if (before != null) {
                        return LuaValue.FALSE;
                    }
                }
                case "PX" -> end = clock.now().plus(Duration.ofMillis((long) command.checkdouble(++i)));
                case "KEEPTTL" -> end = before == null ? null : before.end();
                default -> throw new IllegalArgumentException("unknown option " + command.checkjstring(i));
            }
        }
        entries.put(key, new Entry(command.checkjstring(3), end));
        LuaTable status = new LuaTable();
        status.set("ok", "OK");
        return status;
    }

    void set(String key, String value, Duration expiry) {
        entries.put(key, new Entry(value, clock.now().plus(expiry)));
    }

    private LuaValue time() {
        long micros = clock.now().nanos() / 1_000;
        return table(List.of(Long.toString(micros / 1_000_000), Long.toString(micros % 1_000_000)));
    }

    /** Returns a few keys per step, in an order that differs from that of the API. Only the start of the pattern counts. */
    private LuaValue scan(Varargs command) {
        String prefix = command.checkjstring(4).split("[\\\\*?\\[]", 2)[0];
        List<String> all = List.copyOf(entries.keySet()).stream()
                .filter(key -> key.startsWith(prefix) && get(key) != null)
                .sorted(Comparator.reverseOrder())
                .toList();
        int from = Math.min(all.size(), Integer.parseInt(command.checkjstring(2)));
        int end = Math.min(all.size(), from + SCANNED_AT_ONCE);
        LuaTable page = new LuaTable();
        page.set(1, end < all.size() ? Integer.toString(end) : "0");
        page.set(2, table(all.subList(from, end)));
        return page;
    }

    private static LuaValue fields(Map<String, String> hash, Varargs command) {
        LuaTable values = new LuaTable();
        for (int i = 3; i <= command.narg(); i++) {
            String value = hash.get(command.checkjstring(i));
            values.set(i - 2, value == null ? LuaValue.FALSE : LuaValue.valueOf(value));
        }
        return values;
    }

    private LuaValue setFields(String key, Varargs command) {
        int before = hashes.getOrDefault(key, Map.of()).size();
        for (int i = 3; i < command.narg(); i += 2) {
            setField(key, command.checkjstring(i), command.checkjstring(i + 1));
        }
        return LuaValue.valueOf(hashes.get(key).size() - before);
    }

    void setField(String key, String field, String value) {
        Map<String, String> hash = new HashMap<>(hashes.getOrDefault(key, Map.of()));
        hash.put(field, value);
        hashes.put(key, hash);
    }

    private LuaValue getSet(String key, String value) {
        Entry before = get(key);
        entries.put(key, new Entry(value, null));
        return bulk(before);
    }

    private LuaValue increment(String key) {
        Entry before = get(key);
        long next = before == null ? 1 : Long.parseLong(before.value()) + 1;
        entries.put(key, new Entry(Long.toString(next), before == null ? null : before.end()));
        return LuaValue.valueOf((double) next);
    }

    private Entry get(String key) {
        Entry entry = entries.get(key);
        if (entry != null && entry.end() != null && !clock.now().isBefore(entry.end())) {
            entries.remove(key);
            return null;
        }
        return entry;
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

    private static Map<LuaScript, Prototype> compiled() {
        Map<LuaScript, Prototype> compiled = new EnumMap<>(LuaScript.class);
        for (LuaScript script : LuaScript.values()) {
            byte[] source = script.source().getBytes(StandardCharsets.UTF_8);
            try {
                compiled.put(script, LuaC.instance.compile(new ByteArrayInputStream(source), script.command()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return compiled;
    }
}
