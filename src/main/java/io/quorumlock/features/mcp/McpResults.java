// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.quorumlock.core.lock.Acquisition;
import io.quorumlock.core.lock.Extension;
import io.quorumlock.core.lock.FencingToken;
import io.quorumlock.core.lock.ForcedRelease;
import io.quorumlock.core.lock.Inspection;
import io.quorumlock.core.lock.Inspection.HolderState;
import io.quorumlock.core.lock.Lease;
import io.quorumlock.core.lock.Listing;
import io.quorumlock.core.lock.Owner;
import io.quorumlock.core.lock.Release;
import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.http.LogSanitizer;
import io.quorumlock.http.OutcomeMapper;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The mapping of outcomes to results of tools, which say what to do next. Owners and notes were written by other clients. */
@Singleton
final class McpResults {
    private static final String STOP =
            "You do not hold exactly these locks: stop writing. If you acquired others in the same call, name all of them."
                    + " Otherwise acquire them again, and then read again what they protect.";

    private final OutcomeMapper outcomes;
    private final Clock clock;

    McpResults(OutcomeMapper outcomes, Clock clock) {
        this.outcomes = outcomes;
        this.clock = clock;
    }

    McpResult acquired(Acquisition outcome) {
        if (outcome instanceof Acquisition.Held held) {
            return locked(held);
        }
        return outcome.granted()
                .map(lease -> lease(
                        lease,
                        "Keep the names and the token: extend, check and list with them extend the locks. Check before you"
                                + " write, and release when you have finished."))
                .orElseGet(() -> McpResult.of(outcomes.acquisition(outcome)));
    }

    private McpResult lease(Lease lease, String advice) {
        String text = "You hold " + count(lease.resources().count()) + " for at least " + duration(lease.validity())
                + ". " + advice;
        return new McpResult(
                ToolOutcome.DONE,
                text,
                new LeaseFields(
                        lease.resources().list().stream()
                                .map(ResourceName::text)
                                .toList(),
                        lease.token().text(),
                        lease.fence().number(),
                        lease.validity().toSeconds(),
                        time(clock.instant().plus(lease.validity()))));
    }

    private static McpResult locked(Acquisition.Held held) {
        List<LockFields> locks = held.taken().stream()
                .map(lock -> new LockFields(
                        lock.resource().text(),
                        lock.kept() ? State.KEPT : State.HELD,
                        lock.owner().map(Owner::label),
                        Optional.empty(),
                        Optional.of(seconds(lock.remaining())),
                        Optional.empty()))
                .toList();
        return new McpResult(
                ToolOutcome.HELD,
                "Nothing was acquired.\n" + lines(locks)
                        + "\nWork on something else and try again later, wait with waitSeconds, or ask a human."
                        + " Do not break a lock by yourself.",
                Map.of("held", locks));
    }

    McpResult extended(Extension outcome) {
        return outcome instanceof Extension.Extended extended
                ? lease(extended.lease(), "Go on, and release when you have finished.")
                : McpResult.of(outcomes.extension(outcome)).ifLost(STOP);
    }

    McpResult released(Release outcome) {
        return outcome.kind() == Release.Kind.RELEASED
                ? new McpResult(ToolOutcome.DONE, "The locks are free. Acquire them again before you write.", Map.of())
                : McpResult.of(outcomes.release(outcome))
                        .ifLost("If you have not released them before, others may have written meanwhile: compare your"
                                + " last changes.");
    }

    McpResult broken(ForcedRelease outcome) {
        return outcome.kind() == ForcedRelease.Kind.BROKEN
                ? new McpResult(
                        ToolOutcome.DONE,
                        "The lock was taken from its holder, which may still be writing. Acquire it, and then read again"
                                + " what it protects.",
                        Map.of())
                : McpResult.of(outcomes.forcedRelease(outcome));
    }

    /** @param states of the locks with these names, in their order */
    McpResult checked(List<ResourceName> names, List<Inspection> states) {
        List<LockFields> locks = IntStream.range(0, names.size())
                .mapToObj(i -> fields(names.get(i), states.get(i)))
                .toList();
        boolean unknown = locks.stream().anyMatch(lock -> lock.state == State.UNKNOWN);
        return new McpResult(
                unknown ? ToolOutcome.FAILED : ToolOutcome.DONE,
                lines(locks) + (unknown ? "\nTry again in 1 s." : ""),
                Map.of("locks", locks));
    }

    McpResult listed(Listing outcome) {
        if (!(outcome instanceof Listing.Page page)) {
            return McpResult.of(outcomes.listing(outcome, name -> false));
        }
        List<LockFields> locks = page.locks().stream()
                .map(lock -> fields(lock.resource(), lock.state()))
                .toList();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("locks", locks);
        page.last().ifPresent(last -> fields.put("after", last.text()));
        String text = locks.isEmpty() ? "No lock is held." : lines(locks);
        return new McpResult(
                ToolOutcome.DONE,
                text
                        + page.last()
                                .map(last -> "\nThere may be more: list with after.")
                                .orElse(""),
                fields);
    }

    private static LockFields fields(ResourceName name, Inspection inspection) {
        return inspection instanceof Inspection.Held held
                ? fields(name, held.first())
                : new LockFields(
                        name.text(),
                        inspection.kind() == Inspection.Kind.FREE ? State.FREE : State.UNKNOWN,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty());
    }

    private static LockFields fields(ResourceName name, HolderState holder) {
        return new LockFields(
                name.text(),
                holder.kept() ? State.KEPT : State.HELD,
                holder.owner().map(Owner::label),
                holder.since().map(McpResults::time),
                Optional.of(seconds(holder.remaining())),
                holder.fence().map(FencingToken::number));
    }

    private static String lines(List<LockFields> locks) {
        return locks.stream().map(McpResults::line).collect(Collectors.joining("\n"));
    }

    private static String line(LockFields lock) {
        String owner =
                lock.owner.map(label -> " by " + LogSanitizer.quoted(label)).orElse("");
        String since = lock.heldSince.map(time -> " since " + time).orElse("");
        String left = lock.remainingSeconds
                .map(seconds -> duration(Duration.ofSeconds(seconds)))
                .orElse("");
        return LogSanitizer.quoted(lock.name)
                + switch (lock.state) {
                    case HELD -> " is held" + owner + since + ", for " + left + " unless it is extended or released.";
                    case KEPT -> " was released" + owner + ", and is kept for " + left + ".";
                    case FREE -> " is free.";
                    case UNKNOWN -> " is unknown: the service got no answer in time.";
                };
    }

    private static String count(int names) {
        return names == 1 ? "1 lock" : names + " locks";
    }

    private static String duration(Duration time) {
        return time.compareTo(Duration.ofMinutes(2)) < 0 ? time.toSeconds() + " s" : time.toMinutes() + " minutes";
    }

    /** Returns the seconds until a lock is free, rounded upwards. */
    private static long seconds(Duration remaining) {
        return remaining.plusMillis(999).toSeconds();
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private enum State {
        HELD,
        KEPT,
        FREE,
        UNKNOWN;

        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The JSON of the lease of the client.
     *
     * @param expiresAt by the wall clock of the service, for people
     */
    record LeaseFields(List<String> names, String token, long fencingToken, long remainingSeconds, String expiresAt) {}

    /** The JSON of a lock. Of several holders, it has the last one to end. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record LockFields(
            String name,
            State state,
            Optional<String> owner,
            Optional<String> heldSince,
            Optional<Long> remainingSeconds,
            Optional<Long> fencingToken) {}
}
