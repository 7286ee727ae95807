// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.redis;

import static io.quorumlock.redis.SimulatedReply.list;
import static io.quorumlock.redis.SimulatedReply.number;
import static io.quorumlock.redis.SimulatedReply.text;

import io.quorumlock.lock.AcquireTerms;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.Owner;
import io.quorumlock.lock.ResourceName;
import io.quorumlock.lock.ResourcePrefix;
import io.quorumlock.redlock.AcquireCommand;
import io.quorumlock.redlock.DeleteCondition;
import io.quorumlock.redlock.LockNode.NameRange;
import io.quorumlock.redlock.LockNode.ScanStep;
import io.quorumlock.redlock.NodeReply;
import io.quorumlock.testing.LockStore;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A model of the lock scripts on one server: parses their arguments and applies them to the fake store. */
final class ScriptModel {
    private static final int FIELDS = 6;
    private static final NameRange ALL = new NameRange(new ResourcePrefix(""), Optional.empty(), Optional.empty());

    private final LockStore store;
    private final String lockPrefix;
    private final SimulatedServer.Listener listener;
    private final Map<String, ResourceName> resources = new HashMap<>();

    ScriptModel(LockStore store, KeyPrefixes keys, SimulatedServer.Listener listener) {
        this.store = store;
        this.lockPrefix = keys.lock();
        this.listener = listener;
    }

    /** @param keysAndArgs the arguments after the number of keys */
    Response run(LuaScript script, String[] keysAndArgs) {
        return switch (script) {
            case ACQUIRE -> acquire(keysAndArgs);
            case EXTEND -> extend(keysAndArgs);
            case RAISE -> raise(keysAndArgs);
            case RELEASE -> release(keysAndArgs);
            case INSPECT -> inspect(keysAndArgs);
            case SCAN -> scan(keysAndArgs);
            default -> throw new IllegalArgumentException(script + " is no script for locks");
        };
    }

    private Response acquire(String[] given) {
        String[] value = given[2].split(" ", FIELDS);
        LeaseToken token = new LeaseToken(value[0]);
        listener.voteAsked(token);
        Optional<Owner> owner = value[5].isEmpty() ? Optional.empty() : Optional.of(new Owner(value[5]));
        AcquireTerms terms =
                new AcquireTerms(millis(given[3]), Duration.ZERO, Duration.ZERO, Optional.of(token), owner);
        FencingToken candidate = new FencingToken(Long.parseLong(given[4]));
        NodeReply reply = store.acquire(new AcquireCommand(resource(given[0]), token, value[1], candidate, terms));
        if (reply instanceof NodeReply.Failed) {
            return list(number(-1), text("FENCE_FULL the counter is full"));
        }
        if (reply instanceof NodeReply.Granted granted) {
            listener.granted(token);
            return number(granted.fence().number());
        }
        if (reply instanceof NodeReply.Refused refused) {
            String owned = refused.owner().map(Owner::label).orElse("");
            return list(number(0), left(refused.remaining()), text(refused.holder() + " a 0 0 0 " + owned));
        }
        if (reply instanceof NodeReply.Adopted adopted) {
            return list(
                    number(2),
                    left(adopted.remaining()),
                    number(adopted.extensionsUsed()),
                    number(adopted.fence().number()),
                    age(adopted));
        }
        return list(number(3));
    }

    private Response extend(String[] given) {
        NodeReply reply = store.extend(resource(given[0]), token(given[1]), millis(given[2]));
        if (reply instanceof NodeReply.Extended extended) {
            return list(
                    number(extended.extensionsUsed()),
                    number(extended.fence().number()),
                    text(extended.attempt()),
                    age(extended));
        }
        return number(reply instanceof NodeReply.Exhausted ? -3 : absentOrAnothers(reply));
    }

    private Response raise(String[] given) {
        ResourceName resource = resource(given[0]);
        LeaseToken token = token(given[2]);
        NodeReply reply = store.raise(resource, token, new FencingToken(Long.parseLong(given[3])));
        return number(reply instanceof NodeReply.Raised ? 1 : absentOrAnothers(reply));
    }

    private Response release(String[] given) {
        String[] shown = given[1].split(" ");
        ResourceName resource = resource(given[0]);
        boolean announced = !given[2].isEmpty();
        DeleteCondition condition = new DeleteCondition(
                resource,
                new LeaseToken(shown[0]),
                shown.length > 1 ? Optional.of(shown[1]) : Optional.empty(),
                given[4].isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(given[4])),
                announced ? DeleteCondition.Reason.RELEASED : DeleteCondition.Reason.WITHDRAWN);
        boolean passedOn = given[3].equals(RedisReleaseSignal.PASSED_ON)
                || given[3].equals(RedisReleaseSignal.AS_GRANTED)
                        && store.announced(condition).reason() == DeleteCondition.Reason.PASSED_ON;
        NodeReply reply = store.release(condition);
        if (reply instanceof NodeReply.Deleted) {
            int told = announced ? listener.released(resource, passedOn) : 0;
            return number(told > 1 ? 2 : 1);
        }
        return number(absentOrAnothers(reply));
    }

    private Response inspect(String[] given) {
        if (store.inspect(resource(given[0])) instanceof NodeReply.Holding holding) {
            String fence = Long.toString(holding.fence().orElseThrow().number());
            String value = holding.holder() + " " + holding.attempt().orElseThrow() + " "
                    + holding.extensionsUsed() + " " + fence + " 0 "
                    + holding.owner().map(Owner::label).orElse("");
            return list(left(holding.remaining()), text(value), text(fence));
        }
        return number(0);
    }

    /** Returns all locks; the caller filters them. */
    private Response scan(String[] given) {
        Optional<String> from = given[0].equals("0") ? Optional.empty() : Optional.of(given[0]);
        NodeReply.Scanned page = (NodeReply.Scanned) store.scan(new ScanStep(ALL, from));
        Response[] keys = page.found().stream()
                .map(name -> text(lockPrefix + name.text()))
                .toArray(Response[]::new);
        return list(number(0), text(page.next().orElse("0")), list(keys));
    }

    private static int absentOrAnothers(NodeReply reply) {
        return reply instanceof NodeReply.Absent ? 0 : -2;
    }

    private static Response age(NodeReply.Fenced vote) {
        return number(vote.age().map(Duration::toMillis).orElse(-1L));
    }

    private static Response left(Duration left) {
        return number(left.toMillis());
    }

    private static LeaseToken token(String prefix) {
        return new LeaseToken(prefix.substring(0, prefix.length() - 1));
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }

    private ResourceName resource(String key) {
        return resources.computeIfAbsent(key, text -> new ResourceName(text.substring(lockPrefix.length())));
    }

    static String[] rest(String[] all, int from) {
        return Arrays.copyOfRange(all, from, all.length);
    }
}
