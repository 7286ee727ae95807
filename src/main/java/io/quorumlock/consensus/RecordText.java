// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.consensus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quorumlock.consensus.LeaseRecord.Holder;
import io.quorumlock.consensus.LockRecord.Reservation;
import io.quorumlock.lock.FencingToken;
import io.quorumlock.lock.LeaseToken;
import io.quorumlock.lock.LockKind;
import io.quorumlock.lock.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.StreamSupport;

/** The text of a record: JSON, which an operator can read. What has its usual value is left out. */
final class RecordText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static final String KIND = "kind";
    private static final String SHARED = "shared";
    private static final String SLOTS = "slots";
    private static final String HOLDERS = "holders";
    private static final String RESERVATION = "reservation";
    private static final String REPLICA = "replica";
    private static final String TOKEN = "token";
    private static final String WRITE = "write";
    private static final String USED = "extensions";
    private static final String RENEWED = "renewed";
    private static final String FENCE = "fence";
    private static final String TTL = "ttlMs";
    private static final String LASTS = "lastsNs";
    private static final String SINCE = "sinceMs";
    private static final String NAMES = "names";
    private static final String SLOT = "slot";
    private static final String OWNER = "owner";
    private static final String KEPT = "kept";

    private RecordText() {}

    static String of(LockRecord lock) {
        ObjectNode json = NODES.objectNode();
        switch (lock.kind().type()) {
            case EXCLUSIVE -> {}
            case SHARED -> json.put(KIND, SHARED);
            case SLOTS -> json.put(SLOTS, lock.kind().slots());
        }
        ArrayNode holders = json.putArray(HOLDERS);
        lock.leases().forEach(lease -> write(lease, holders.addObject()));
        lock.reservation().ifPresent(own -> json.putObject(RESERVATION)
                .put(REPLICA, own.replica())
                .put(WRITE, own.write())
                .put(LASTS, own.lasts().toNanos()));
        return json.toString();
    }

    private static void write(LeaseRecord lease, ObjectNode json) {
        Holder holder = lease.holder();
        json.put(TOKEN, holder.token().text()).put(WRITE, lease.write());
        if (lease.extensionsUsed() > 0) {
            json.put(USED, lease.extensionsUsed());
        }
        if (lease.renewed()) {
            json.put(RENEWED, true);
        }
        lease.fence().ifPresent(fence -> json.put(FENCE, fence.number()));
        json.put(TTL, holder.ttl().toMillis());
        if (!lease.lasts().equals(holder.ttl())) {
            json.put(LASTS, lease.lasts().toNanos());
        }
        json.put(SINCE, holder.since().toEpochMilli());
        if (!holder.names().isEmpty()) {
            json.put(NAMES, holder.names());
        }
        holder.slot().ifPresent(slot -> json.put(SLOT, slot));
        holder.owner().ifPresent(owner -> json.put(OWNER, owner.label()));
        if (lease.kept()) {
            json.put(KEPT, true);
        }
    }

    /** Parses a record; empty if another program wrote it. */
    static Optional<LockRecord> parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (!json.path(HOLDERS).isArray()) {
                return Optional.empty();
            }
            List<LeaseRecord> leases = StreamSupport.stream(json.get(HOLDERS).spliterator(), false)
                    .map(RecordText::lease)
                    .toList();
            Optional<Reservation> reservation = Optional.ofNullable(json.get(RESERVATION))
                    .map(own -> new Reservation(
                            required(own, REPLICA).asText(),
                            required(own, WRITE).asText(),
                            Duration.ofNanos(required(own, LASTS).asLong())));
            return Optional.of(new LockRecord(kind(json), leases, reservation));
        } catch (JsonProcessingException | IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    private static LockKind kind(JsonNode json) {
        if (json.has(SLOTS)) {
            return LockKind.ofSlots(json.get(SLOTS).asInt());
        }
        return json.path(KIND).asText().equals(SHARED) ? LockKind.SHARED : LockKind.EXCLUSIVE;
    }

    private static LeaseRecord lease(JsonNode json) {
        Holder holder = new Holder(
                new LeaseToken(required(json, TOKEN).asText()),
                Optional.ofNullable(json.get(OWNER)).map(owner -> new Owner(owner.asText())),
                json.path(NAMES).asText(),
                json.has(SLOT) ? OptionalInt.of(json.get(SLOT).asInt()) : OptionalInt.empty(),
                Instant.ofEpochMilli(json.path(SINCE).asLong()),
                Duration.ofMillis(required(json, TTL).asLong()));
        return new LeaseRecord(
                holder,
                required(json, WRITE).asText(),
                json.has(LASTS) ? Duration.ofNanos(json.get(LASTS).asLong()) : holder.ttl(),
                json.path(USED).asInt(),
                json.path(RENEWED).asBoolean(),
                Optional.ofNullable(json.get(FENCE)).map(fence -> new FencingToken(fence.asLong())),
                json.path(KEPT).asBoolean());
    }

    private static JsonNode required(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field)).orElseThrow(() -> new IllegalArgumentException("no " + field));
    }
}
