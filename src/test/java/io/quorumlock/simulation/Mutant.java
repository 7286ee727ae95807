// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.simulation;

import io.quorumlock.history.Promise;

/** A mutation that disables one rule, and the guarantee whose check must detect it. */
enum Mutant {
    R1_HALF_OF_THE_MASTERS(Promise.S1, redlock("Quorum", "return total / 2 + 1;", "return total / 2;")),
    R3_ATTEMPTS_WITHOUT_NAMES(
            Promise.S1,
            java(
                    "core/loop/UniqueIds",
                    "return replica + SEPARATOR + Long.toString(++count, Character.MAX_RADIX);",
                    "return \"same\";")),
    R4_ELAPSED_TIME_IS_NOT_MEASURED(
            Promise.S2,
            redlock("AcquireAttempt", "Duration elapsed = elapsed();", "Duration elapsed = Duration.ZERO;")),
    R4_NO_DRIFT(Promise.S2, java("core/loop/Drift", "left.minus(elapsed).minus(of(left))", "left.minus(elapsed)")),
    R4_REPLAY_COUNTS_THE_WHOLE_TTL(Promise.S1, redlock("AcquireVotes", "Durations.min(vote.remaining(), ttl)", "ttl")),
    R5_NO_CLEAN_UP(
            Promise.N,
            redlock("AcquireAttempt", "collector.forEach(masters, MasterReply.class, this::deleteOwnValue);", "")),
    R5_NO_CLEAN_UP_OF_LATE_VOTES(
            Promise.N, redlock("AcquireAttempt", "deleteOwnValue(master, reply);\n            if (", "if (")),
    R5_RELEASE_DELETES_ONCE(
            Promise.N,
            redlock("Redlock", "cleanUp.deleteLease(master, condition, ", "cleanUp.delete(master, condition, ")),
    R7_LOST_LEASE_IS_LEFT(
            Promise.N,
            redlock("ExtendAttempt", "if (lost && (mayHold || command.resources().count() > 1)) {", "if (false) {")),
    R6_RELEASE_WITHOUT_COMPARING(
            Promise.S4,
            script("batch", "or string.sub(value, 1, #prefix) ~= prefix", ""),
            script("release", "if not value or string.sub(value, 1, #prefix) ~= prefix then", "if not value then")),
    R7_EXTEND_WITHOUT_COMPARING(Promise.S4, script("extend", "if string.sub(value, 1, #prefix) ~= prefix or", "if")),
    R7_EXTEND_CREATES(
            Promise.S4,
            script(
                    "extend",
                    "  if not value then\n    return {0, i}",
                    "  if not value then\n  redis.call('SET', KEYS[1], ARGV[1] .. 'a+ 1 1 ' .. ARGV[2] .. ' ', 'PX', ARGV[2])\n  return {1, '1', 'a+', -1, ARGV[2] .. ' '}")),
    R7_EXTEND_SHORTENS(Promise.S1, script("extend", "math.max(least, tonumber(ttl))", "tonumber(ttl)")),
    R7_FAILED_EXTEND_DELETES(
            Promise.S4,
            redlock(
                    "ExtendAttempt",
                    "default -> new Extension.Unconfirmed(collector.noQuorumReason());",
                    "default -> {\n collector.forEach(masters, Extended.class, (master, vote) -> context.cleanUp().deleteLease(master, DeleteCondition.ofLease(command.resources(), command.token()), context.settings().ttlMax(), ignored -> {}));\n yield new Extension.Unconfirmed(collector.noQuorumReason());\n }")),
    R7_EXTEND_COUNTS_THE_LOST(
            Promise.S1,
            redlock(
                    "Decision",
                    "int extended = votes(collector);",
                    "int extended = votes(collector) + Math.min(collector.count(Extended.class), collector.count(MasterReply.Absent.class));")),
    R7_RESTORES_WITHOUT_MAJORITY(Promise.N, redlock("Restorer", "if (held) {", "if (true) {")),
    R10_NO_WRITE_BACK(
            Promise.S3,
            redlock(
                    "Fencing",
                    "if (collector.isMajority(votes.known())) {\n            raiseOnOtherMasters(resources, token, collector, votes.token());",
                    "if (true) {")),
    R10_GRANTS_IGNORE_THE_COUNTER(
            Promise.S3,
            script("batch", "counted and counted < tonumber(fence)", "counted"),
            script("grant", "if tonumber(most) >= fence then", "if false then")),
    R10_RAISE_LEAVES_THE_COUNTER(
            Promise.S3, script("raise", "error = raise_counters({unpack(KEYS, n + 1)}, proposed)", "error = nil")),
    R11_ACQUIRE_FOR_A_CLIENT_THAT_LEFT(
            Promise.R11,
            redlock("Redlock", "outcome.elapsed());\n        return delivered;", "outcome.elapsed());\n return true;")),
    R12_NO_TIMER(Promise.R12, waiting("WaitQueue", "timer.schedule(longest.get(), this::attempt);", "")),
    R13_EXTENSIONS_WITHOUT_END(Promise.R13, script("extend", "if used > tonumber(most) then", "if false then")),
    R14_CLEAN_UPS_WITHOUT_BOUND(
            Promise.R14,
            java(
                    "core/loop/PendingDeletes",
                    "boolean repeated = pending < settings.cleanUpsMax();",
                    "boolean repeated = true;")),
    R15_UNKNOWN_IS_CALLED_NO_EFFECT(
            Promise.R15,
            redlock(
                    "VoteCollector",
                    "boolean touched = outstanding > 0 || count(MasterReply::mayHaveTakenEffect) > 0;",
                    "boolean touched = false;")),
    ADOPTION_WITHOUT_MARK(Promise.S1, script("grant", "attempt .. '+'", "attempt")),
    FORCED_RELEASE_IGNORES_MASTERS_WITHOUT_REPLY(
            Promise.S4,
            redlock(
                    "HolderVotes",
                    "return collector.isMajority(count() + collector.count(Failed.class));",
                    "return isMajority();")),
    SHARED_IGNORES_EXCLUSIVE(
            Promise.S1,
            script(
                    "join-any",
                    "if value then\n  return {0, left(key, until_then), value, 1}",
                    "if value then\n  redis.call('DEL', key)")),
    SLOTS_ARE_COUNTED_ON_EACH_MASTER(Promise.S1, script("join-any", "if not used[slot] then", "if true then")),
    EXTENSION_WITHOUT_A_LOST_LOCK(
            Promise.S1,
            script(
                    "extend",
                    "for i = 1, #KEYS do\n  value, ends",
                    "local kept = {}\nfor _, key in ipairs(KEYS) do\n  local found = read(key, token)\n  if found and string.sub(found, 1, #ARGV[1]) == ARGV[1] then\n  kept[#kept + 1] = key\n  end\n  end\nKEYS = #kept > 0 and kept or KEYS\nfor i = 1, #KEYS do\n  value, ends")),
    LOCK_IS_KEPT_UNTIL_THE_END_OF_ITS_LEASE(
            Promise.S1,
            script(
                    "release",
                    "local keep = holder and keep_ms or 0",
                    "local keep = holder and math.min(keep_ms, left(key, ends)) or 0")),
    KEPT_LOCK_IS_EXTENDED(Promise.S4, script("extend", "if is_kept(value) then", "if false then")),
    SESSION_RELEASES_WHAT_MAY_BE_USED(
            Promise.S1, session("Session", "why == SessionEndReason.UNDELIVERED && terms.token().isEmpty()", "true")),
    R2_ONE_SERVER_COUNTS_TWICE(
            Promise.S1, masters("ServerIdentities", "if (holder != null && !holder.equals(alias)) {", "if (false) {")),
    R2_LISTS_OF_MASTERS_ARE_IGNORED(
            Promise.S1, script("admit", "if masters and masters ~= ARGV[2] then", "if false then")),
    R8_OVERDUE_COMMANDS_ARE_SENT_AGAIN(
            Promise.R8,
            redis(
                    "CommandPipeline",
                    "oldest.fail(ServerFailure.TIMEOUT);",
                    "oldest.fail(ServerFailure.TIMEOUT);\n enqueue(new Command(oldest.write(), now, new Command.Listener() {\n public void answered(Response response) {}\n public void failed(ServerFailure reason, boolean sent) {}\n }));\n return;")),
    R9_QUARANTINE_IS_NOT_WRITTEN(Promise.S1, script("admit", "if due > 0 and due ~= left then", "if false then")),
    R9_MARKER_IS_IGNORED(
            Promise.S1,
            script(
                    "admit",
                    "local known = run_id == ARGV[1] or run_id and ARGV[5] == 'kept' and place == ARGV[9]",
                    "local known = true\nnew = new or ''")),
    R9_MARKER_OF_ANOTHER_MASTER_COUNTS(Promise.S1, script("admit", " and place == ARGV[9]", "")),
    R9_QUARANTINE_IS_SHORTER_THAN_THE_LONGEST_TTL(
            Promise.S1, script("admit", "due = longest\n", "due = longest / 2\n")),
    R9_MASTER_WITHOUT_MARKER_VOTES_IF_IT_PERSISTS(
            Promise.S1,
            script(
                    "admit",
                    "local known = run_id == ARGV[1] or run_id and ARGV[5] == 'kept' and place == ARGV[9]",
                    "local known = run_id == ARGV[1] or ARGV[5] == 'kept'\nnew = new or ''")),
    R9_EVERY_RESTART_KEEPS_VOTES(
            Promise.S1,
            masters("MasterAdmission", "ask(context.guard().mastersPersist(), timeout);", "ask(true, timeout);")),
    R9_QUARANTINED_MASTERS_VOTE(
            Promise.S1,
            masters(
                    "MasterAdmission",
                    "} else if (waits) {",
                    "} else if (waits) {\n link.admit(connection);\n } else if (false) {")),
    R9_CLOCK_STEPS_ARE_IGNORED(
            Promise.S1, masters("MasterClock", "return Math.abs(distance()) <= STEP.toNanos();", "return true;")),
    R9_DOUBT_ENDS_WITH_THE_CONNECTION(
            Promise.S1,
            masters(
                    "MasterLink",
                    "context.view().disconnected(alias);\n        context.identities().leave(alias);",
                    "clockWatch.confirmed();\n context.view().disconnected(alias);\n context.identities().leave(alias);")),
    R10_FENCES_OF_THE_REPLICAS_WALL_CLOCK(
            Promise.S3,
            masters(
                    "MasterClockWatch",
                    "return status.wallClock();",
                    "return OptionalLong.of(engineContext.wallClock().millis());")),
    CONSENSUS_TAKEOVER_WITHOUT_VERSION(
            Promise.S1,
            consensus(
                    "OperationGroup",
                    "} else if (reply instanceof StoreReply.Conflict refused) {\n                        conflict = true;",
                    "} else if (changes.get(0).read().isPresent() && changes.get(0).text().isPresent()) {\n records.read(resources.list(), complete -> commit(records.snapshot(resources).changesTo(next), next));\n } else if (reply instanceof StoreReply.Conflict refused) {\n conflict = true;")),
    CONSENSUS_RELEASE_WITHOUT_VERSION(
            Promise.S4,
            consensus(
                    "OperationGroup",
                    "} else if (reply instanceof StoreReply.Conflict refused) {\n                        conflict = true;",
                    "} else if (changes.get(0).text().isEmpty()) {\n records.read(resources.list(), complete -> commit(records.snapshot(resources).changesTo(next), next));\n } else if (reply instanceof StoreReply.Conflict refused) {\n conflict = true;")),
    CONSENSUS_TTL_COUNTS_FROM_THE_FIRST_WRITE(
            Promise.S1,
            consensus(
                    "KnownVersion",
                    "known.map(FirstSeen::since).orElseGet(() -> uptime.since(written, at))",
                    "last.stream().flatMap(read -> read.firstSeen().values().stream()).map(FirstSeen::since).min((one, other) -> one.isBefore(other) ? -1 : 1).orElse(at)")),
    CONSENSUS_UPTIME_OF_AN_EARLIER_NOTE(
            Promise.S1, consensus("Uptime", "notes().ceilingEntry(revision)", "notes().floorEntry(revision)")),
    CONSENSUS_UPTIME_OF_AN_EXTENDED_LEASE_FROM_ITS_GRANT(
            Promise.S1, consensus("RecordText", "json.path(RENEWED).asBoolean() ? REVISION : FENCE", "FENCE")),
    CONSENSUS_RECONNECT_STARTS_THE_COUNT_AGAIN(
            Promise.L,
            consensus(
                    "KnownVersions",
                    ".or(() -> Optional.ofNullable(earlier.remove(name)))",
                    ".or(() -> Optional.<KnownVersion>empty())")),
    CONSENSUS_RECONNECT_CONTINUES_THE_COUNT_OF_ANOTHER_VERSION(
            Promise.S1,
            consensus(
                    "KnownVersions",
                    "before.revision() == revision && revision != Watcher.UNKNOWN ? before : before.next(revision, now)",
                    "before")),
    CONSENSUS_REPEAT_COUNTS_FROM_THE_REPLY(
            Promise.L,
            consensus("KnownLease", "now.since(first.sent().orElse(first.since()))", "now.since(first.since())")),
    CONSENSUS_REPEAT_SHORTENS_THE_LEASE(
            Promise.S1,
            consensus(
                    "KnownLease",
                    "return rest.isNegative() ? Duration.ZERO : rest;",
                    "return rest.isNegative() ? Duration.ZERO : rest.dividedBy(2);")),
    CONSENSUS_FENCE_IS_CONSTANT(
            Promise.S3, consensus("LeaseRecord", "new FencingToken(known)", "new FencingToken(1L)")),
    CONSENSUS_READERS_IGNORE_OTHER_KINDS(Promise.S1, consensus("Admission", "!lock.kind().equals(kind)", "false")),
    CONSENSUS_SLOTS_ARE_GIVEN_TWICE(
            Promise.S1, consensus("Admission", "lease.slot().orElse(-1) == slot", "lease.slot().orElse(-1) > slot")),
    CONSENSUS_LEFTOVERS_OF_LEASES_THAT_LAST(
            Promise.S1, consensus("Records", ".filter(record -> record.isOver(now))", "")),
    CONSENSUS_LEFTOVERS_WITHOUT_VERSION(
            Promise.S1,
            consensus(
                    "Leftovers",
                    "() -> delete(rest)",
                    "() -> {\n batch.forEach(one -> records.known(one.resource()).ifPresent(now -> records.commit(List.of(Change.delete(now.stored().orElseThrow())), List.of(), last -> {})));\n delete(rest);\n }"));

    final Promise promise;
    final Mutation[] mutations;

    /** @param mutations several if the rule has more than one defence */
    Mutant(Promise promise, Mutation... mutations) {
        this.promise = promise;
        this.mutations = mutations;
    }

    Scenario scenario() {
        return mutations[0].isOfConsensus() ? Scenario.CONSENSUS : Scenario.REDLOCK;
    }

    MutatedClasses classes() {
        return MutatedClasses.of(mutations);
    }

    private static Mutation masters(String name, String original, String replacement) {
        return java("engines/masters/" + name, original, replacement);
    }

    private static Mutation redis(String name, String original, String replacement) {
        return java("engines/redis/" + name, original, replacement);
    }

    private static Mutation redlock(String name, String original, String replacement) {
        return java("engines/redlock/" + name, original, replacement);
    }

    private static Mutation waiting(String name, String original, String replacement) {
        return java("service/waiting/" + name, original, replacement);
    }

    private static Mutation consensus(String name, String original, String replacement) {
        return java("engines/consensus/" + name, original, replacement);
    }

    private static Mutation session(String name, String original, String replacement) {
        return java("features/sessions/" + name, original, replacement);
    }

    private static Mutation java(String path, String original, String replacement) {
        return new Mutation("java/io/quorumlock/" + path + ".java", original, replacement);
    }

    private static Mutation script(String name, String original, String replacement) {
        return new Mutation("resources/redis/" + name + ".lua", original, replacement);
    }
}
