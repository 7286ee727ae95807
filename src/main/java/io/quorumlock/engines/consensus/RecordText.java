// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.consensus;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.LeaseToken;
import io.quorumlock.core.lock.LockKind;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.engines.consensus.LeaseRecord.Holder;
import io.quorumlock.engines.consensus.LockRecord.Reservation;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The text of a record: JSON, which an operator can read. What has its usual value is left out. */
final class RecordText {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_LENGTH = 256;

    private static final String KIND = "kind";
    private static final String SHARED = "shared";
    private static final String SLOTS = "slots";
    private static final String HOLDERS = "holders";
    private static final String RESERVATION = "reservation";
    private static final String REPLICA = "replica";
    private static final String WAITING = "waiting";
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
    private static final String REVISION = "revision";

    private RecordText() {}

    /** Writes without a tree of nodes, which takes several times as long, and each change of a lock is written. */
    static String of(LockRecord lock) {
        StringWriter text = new StringWriter(USUAL_LENGTH);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            write(lock, json);
        } catch (IOException e) {
            throw new UncheckedIOException("text in memory cannot fail", e);
        }
        return text.toString();
    }

    private static void write(LockRecord lock, JsonGenerator json) throws IOException {
        json.writeStartObject();
        switch (lock.kind().type()) {
            case EXCLUSIVE -> {}
            case SHARED -> json.writeStringField(KIND, SHARED);
            case SLOTS -> json.writeNumberField(SLOTS, lock.kind().slots());
        }
        json.writeArrayFieldStart(HOLDERS);
        for (LeaseRecord lease : lock.leases()) {
            write(lease, json);
        }
        json.writeEndArray();
        if (lock.reservation().isPresent()) {
            Reservation own = lock.reservation().get();
            json.writeObjectFieldStart(RESERVATION);
            json.writeStringField(REPLICA, own.replica());
            json.writeStringField(WRITE, own.write());
            json.writeNumberField(LASTS, own.lasts().toNanos());
            json.writeEndObject();
        }
        if (!lock.waiting().isEmpty()) {
            json.writeArrayFieldStart(WAITING);
            for (String replica : lock.waiting()) {
                json.writeString(replica);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void write(LeaseRecord lease, JsonGenerator json) throws IOException {
        Holder holder = lease.holder();
        json.writeStartObject();
        json.writeStringField(TOKEN, holder.token().text());
        json.writeStringField(WRITE, lease.write());
        if (lease.extensionsUsed() > 0) {
            json.writeNumberField(USED, lease.extensionsUsed());
        }
        if (lease.renewed()) {
            json.writeBooleanField(RENEWED, true);
        }
        if (lease.fence().isPresent()) {
            json.writeNumberField(FENCE, lease.fence().get().number());
        }
        json.writeNumberField(TTL, holder.ttl().toMillis());
        if (!lease.lasts().equals(holder.ttl())) {
            json.writeNumberField(LASTS, lease.lasts().toNanos());
        }
        json.writeNumberField(SINCE, holder.since().toEpochMilli());
        if (!holder.names().isEmpty()) {
            json.writeStringField(NAMES, holder.names());
        }
        if (holder.slot().isPresent()) {
            json.writeNumberField(SLOT, holder.slot().getAsInt());
        }
        if (holder.owner().isPresent()) {
            json.writeStringField(OWNER, holder.owner().get().label());
        }
        if (lease.kept()) {
            json.writeBooleanField(KEPT, true);
        }
        // That of the first write of a lease is its fence.
        if (lease.renewed() && lease.revision().isPresent()) {
            json.writeNumberField(REVISION, lease.revision().get());
        }
        json.writeEndObject();
    }

    /** Parses a record; empty if another program wrote it. */
    static Optional<LockRecord> parse(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            if (!json.path(HOLDERS).isArray()) {
                return Optional.empty();
            }
            List<LeaseRecord> leases =
                    elements(json.get(HOLDERS)).map(RecordText::lease).toList();
            List<String> waiting =
                    elements(json.path(WAITING)).map(JsonNode::asText).toList();
            Optional<Reservation> reservation = Optional.ofNullable(json.get(RESERVATION))
                    .map(own -> new Reservation(
                            required(own, REPLICA).asText(),
                            required(own, WRITE).asText(),
                            Duration.ofNanos(required(own, LASTS).asLong())));
            return Optional.of(new LockRecord(kind(json), leases, reservation, waiting));
        } catch (JsonProcessingException | IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
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
                json.path(KEPT).asBoolean(),
                Optional.ofNullable(json.get(json.path(RENEWED).asBoolean() ? REVISION : FENCE))
                        .map(JsonNode::asLong));
    }

    private static JsonNode required(JsonNode json, String field) {
        return Optional.ofNullable(json.get(field)).orElseThrow(() -> new IllegalArgumentException("no " + field));
    }
}
