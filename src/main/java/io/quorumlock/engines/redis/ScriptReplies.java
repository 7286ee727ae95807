// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.quorumlock.core.fleet.ServerFailure;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.engines.redlock.DeleteCondition;
import io.quorumlock.engines.redlock.LockMaster.NameRange;
import io.quorumlock.engines.redlock.MasterReply;
import io.quorumlock.engines.redlock.MasterReply.Held.Holding;
import io.quorumlock.engines.redlock.MasterReply.Refused.Conflict;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The parser of the replies of the scripts. The header comment of each script defines its replies. */
public final class ScriptReplies {
    private static final int REFUSED = 0;
    private static final int ADOPTED = 2;
    private static final int TOKEN_IN_USE = 3;
    private static final int OTHER_SLOTS = 4;
    private static final int OTHER_SLOT_FREE = 5;
    private static final int DONE = 1;
    private static final int EXTENDED_FIELDS = 5;
    private static final int ABSENT = 0;
    private static final int ERROR = -1;
    private static final int HELD_BY_ANOTHER = -2;
    private static final int EXHAUSTED = -3;
    private static final String LAST_CURSOR = "0";
    /** Replaces the missing expiry of a lock that another program wrote. */
    private static final Duration NEVER = Duration.ofDays(1);

    private ScriptReplies() {}

    /** Returns the replies of the operations of a batch; empty if there are not as many. */
    static List<Response> ofBatch(Response response, int size) {
        if (size == 1) {
            return Collections.singletonList(response);
        }
        return response != null && isList(response) && response.size() == size
                ? IntStream.range(0, size).mapToObj(response::get).toList()
                : List.of();
    }

    /** Parses a reply. An unexpected reply is not a vote. */
    public static MasterReply read(Response response, Function<Response, MasterReply> reader) {
        try {
            if (isList(response) && response.get(0).toLong() == ERROR) {
                return new MasterReply.Failed(
                        ClientErrors.ofReply(response.get(1).toString()), true);
            }
            return reader.apply(response);
        } catch (RuntimeException unreadable) {
            return new MasterReply.Failed(ServerFailure.GARBAGE, true);
        }
    }

    /** Returns the number in a reply; zero if the reply is not a number. */
    public static int count(Response response) {
        return response != null && response.type() == ResponseType.NUMBER ? response.toInteger() : 0;
    }

    /** Returns the result of TIME in microseconds; empty if the reply is invalid. */
    static OptionalLong micros(Response time) {
        try {
            return OptionalLong.of(
                    time.get(0).toLong() * 1_000_000 + time.get(1).toLong());
        } catch (RuntimeException unreadable) {
            return OptionalLong.empty();
        }
    }

    public static MasterReply toAcquire(Response response) {
        if (!isList(response)) {
            return new MasterReply.Granted(fence(response));
        }
        return switch (response.get(0).toInteger()) {
            case REFUSED -> new MasterReply.Refused(conflicts(response), List.of());
            case OTHER_SLOTS -> new MasterReply.OtherSlots(response.get(1).toInteger());
            case OTHER_SLOT_FREE -> new MasterReply.Refused(List.of(conflict(response, 1)), slots(response));
            case ADOPTED -> new MasterReply.Adopted(
                    remaining(response.get(1)),
                    response.get(2).toInteger(),
                    fence(response.get(3)),
                    age(response.get(4)));
            case TOKEN_IN_USE -> new MasterReply.TokenInUse();
            default -> garbage();
        };
    }

    private static List<Conflict> conflicts(Response response) {
        List<Conflict> taken = new ArrayList<>();
        for (int i = 1; i < response.size(); i += 3) {
            taken.add(conflict(response, i));
        }
        return taken;
    }

    private static Conflict conflict(Response response, int first) {
        String value = response.get(first + 1).toString();
        Optional<String> attempt = LockValue.attempt(value);
        boolean kept = attempt.filter(DeleteCondition.KEPT::equals).isPresent();
        return new Conflict(
                response.get(first + 2).toInteger() - 1,
                remaining(response.get(first)),
                kept ? Optional.empty() : LockValue.owner(value),
                LockValue.holder(value),
                attempt.isPresent() && !kept,
                kept,
                LockValue.kindIn(value));
    }

    private static List<Integer> slots(Response response) {
        List<Integer> slots = new ArrayList<>();
        for (int i = 4; i < response.size(); i++) {
            slots.add(response.get(i).toInteger());
        }
        return slots;
    }

    public static MasterReply toExtend(Response response) {
        if (response.size() == EXTENDED_FIELDS) {
            return new MasterReply.Extended(
                    response.get(0).toInteger(),
                    fence(response.get(1)),
                    response.get(2).toString(),
                    age(response.get(3)),
                    response.get(4).toString());
        }
        return response.get(0).toInteger() == EXHAUSTED ? new MasterReply.Exhausted() : notHolding(response);
    }

    public static MasterReply toRaise(Response response) {
        return isList(response) ? notHolding(response) : done(response, new MasterReply.Raised());
    }

    public static MasterReply toRestore(Response response) {
        if (isList(response)) {
            return notHolding(response);
        }
        return response.type() == ResponseType.BULK
                ? new MasterReply.Permitted(response.toString())
                : done(response, new MasterReply.Restored());
    }

    public static MasterReply toRelease(Response response) {
        return isList(response) ? notHolding(response) : done(response, new MasterReply.Deleted());
    }

    private static MasterReply done(Response response, MasterReply reply) {
        return number(response) == DONE ? reply : garbage();
    }

    private static MasterReply notHolding(Response response) {
        int index = response.get(1).toInteger() - 1;
        return switch (response.get(0).toInteger()) {
            case ABSENT -> new MasterReply.Absent(index);
            case HELD_BY_ANOTHER -> new MasterReply.HeldByAnother(index);
            default -> garbage();
        };
    }

    public static MasterReply toInspect(Response response) {
        if (!isList(response)) {
            return number(response) == ABSENT ? new MasterReply.Absent() : garbage();
        }
        List<Holding> all = new ArrayList<>();
        for (int i = 1; i < response.size(); i += 3) {
            all.add(holding(response, i));
        }
        return new MasterReply.Held(all);
    }

    private static Holding holding(Response response, int first) {
        String value = response.get(first + 1).toString();
        Response fence = response.get(first + 2);
        return new Holding(
                LockValue.holder(value),
                LockValue.attempt(value),
                LockValue.extensionsUsed(value),
                LockValue.owner(value),
                LockValue.kindIn(value),
                LockValue.slot(value),
                remaining(response.get(first)),
                fence.toString().isEmpty() ? Optional.empty() : Optional.of(fence(fence)),
                LockValue.names(value));
    }

    /** Parses the valid names in the wanted range. Other programs may have written keys that look like locks. */
    public static MasterReply toScan(Response response, String lockPrefix, NameRange wanted) {
        String next = response.get(1).toString();
        List<ResourceName> found = new ArrayList<>();
        for (Response key : response.get(2)) {
            String text = key.toString();
            if (text.startsWith(lockPrefix) && wanted.contains(text.substring(lockPrefix.length()))) {
                name(text.substring(lockPrefix.length())).ifPresent(found::add);
            }
        }
        return new MasterReply.Scanned(found, next.equals(LAST_CURSOR) ? Optional.empty() : Optional.of(next));
    }

    private static Optional<ResourceName> name(String text) {
        try {
            return Optional.of(new ResourceName(text))
                    .filter(name -> name.text().equals(text));
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    private static boolean isList(Response response) {
        return response.type() == ResponseType.MULTI;
    }

    private static int number(Response response) {
        if (response.type() != ResponseType.NUMBER) {
            throw new IllegalArgumentException("not a number");
        }
        return response.toInteger();
    }

    private static Duration remaining(Response response) {
        long millis = response.toLong();
        return millis == -1 ? NEVER : Duration.ofMillis(Math.max(0, millis));
    }

    private static Optional<Duration> age(Response response) {
        long millis = response.toLong();
        return millis < 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
    }

    private static FencingToken fence(Response response) {
        return new FencingToken(response.toLong());
    }

    private static MasterReply garbage() {
        return new MasterReply.Failed(ServerFailure.GARBAGE, true);
    }
}
