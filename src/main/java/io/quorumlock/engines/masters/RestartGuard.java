// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.masters;

import io.quorumlock.engines.redis.LuaScript;
import io.quorumlock.engines.redis.MasterConnection;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.Optional;

/**
 * The restart guard: keeps a master that may have lost votes from voting for longer than any lease can last (R9). This is
 * the delayed restart of the Redlock paper. Each master decides by its own marker, at every connect and every heartbeat.
 *
 * @param mastersPersist whether the operator promises that all masters always persist every write
 * @param quarantine must be longer than the longest TTL
 * @param readOnly whether to ask the masters without a write, so that they remember nothing of this process
 */
public record RestartGuard(boolean enabled, boolean mastersPersist, Duration quarantine, boolean readOnly) {
    /**
     * The version of the keys and the values on the masters. It is stored with the list of masters, so that two versions of the
     * service with different values never vote together. Raise it with each change after which an earlier version would
     * not find, or not understand, a value.
     */
    public static final String LAYOUT = "1";

    /**
     * The keys end in a slash, so that with an empty lock prefix none of them can be the name of a resource.
     */
    private static final String MARKER = "quorumlock:marker/";

    private static final String QUARANTINE = "quorumlock:quarantine/";
    private static final String MASTERS = "quorumlock:masters/";
    private static final String LONGEST = "quorumlock:longest/";
    private static final int ADMITTED = 1;

    /**
     * What the replica tells a master.
     *
     * @param runId the process of the master
     * @param place of the master in the list of masters
     * @param masters the list of masters of this replica
     * @param longest the longest quarantine that any master reported
     * @param keptWrites whether the master lost no write if it was restarted
     * @param stepped whether its wall clock, which determines expiry, stepped
     * @param founded the quarantine to end, because all masters are new; empty if none
     */
    record Question(
            String runId,
            int place,
            String masters,
            Duration longest,
            boolean keptWrites,
            boolean stepped,
            String founded) {}

    /** The decision of a master about its own admission. */
    sealed interface AdmissionResult {

        /**
         * The master may vote after the quarantine, which may be zero.
         *
         * @param longest the longest quarantine that any replica requested, as far as the master knows
         * @param newMaster the name of the quarantine of a master that had no marker; otherwise empty
         * @param refusal the error of a master that refuses writes; empty if it accepts them
         */
        record Admitted(Duration quarantine, Duration longest, String newMaster, Optional<String> refusal)
                implements AdmissionResult {}

        /** Replicas with another list of masters, or with other values, use the master. */
        record OtherList(String why) implements AdmissionResult {}

        /** The master could not decide. The previous decision remains valid. */
        record Unknown() implements AdmissionResult {}
    }

    /** Reads the longest quarantine that any replica requested from this master. */
    Future<Duration> longest(MasterConnection master) {
        return master.connection()
                .send(Request.cmd(Command.GET).arg(LONGEST))
                .map(millis -> millis == null ? Duration.ZERO : Duration.ofMillis(millis.toLong()));
    }

    Future<AdmissionResult> admit(MasterConnection master, Question question) {
        Request request = Request.cmd(Command.EVALSHA)
                .arg(LuaScript.ADMIT.sha())
                .arg(4)
                .arg(MARKER)
                .arg(QUARANTINE)
                .arg(MASTERS)
                .arg(LONGEST)
                .arg(question.runId())
                .arg(inUse(question.masters()))
                .arg(quarantine.toMillis())
                .arg(question.longest().toMillis())
                .arg(question.keptWrites() ? "kept" : "")
                .arg(question.stepped() ? "stepped" : "")
                .arg(question.founded())
                .arg(readOnly ? "check" : "")
                .arg(question.place());
        return master.connection().send(request).map(answer -> toResult(answer, question.masters()));
    }

    /** Returns what a master remembers of the replicas that use it. */
    public static String inUse(String masters) {
        return LAYOUT + " " + masters;
    }

    private static AdmissionResult toResult(Response answer, String own) {
        if (answer.get(0).toInteger() != ADMITTED) {
            return new AdmissionResult.OtherList(why(answer.get(1).toString(), own));
        }
        return new AdmissionResult.Admitted(
                Duration.ofMillis(answer.get(1).toLong()),
                Duration.ofMillis(answer.get(2).toLong()),
                answer.get(3).toString(),
                Optional.of(answer.get(4).toString().strip()).filter(error -> !error.isEmpty()));
    }

    private static String why(String others, String own) {
        String sameLayout = inUse("");
        return others.startsWith(sameLayout)
                ? "is used by replicas with the masters " + others.substring(sameLayout.length())
                        + ", but QUORUMLOCK_NODES has " + own + "; stop the replicas with another list"
                : "is used by replicas of a version with another layout of its values than " + LAYOUT
                        + "; stop the replicas of the other version";
    }

    /**
     * Returns why a master is in quarantine, and what to do against quarantines.
     *
     * @param longest the longest quarantine that any replica requested
     */
    String advice(Duration longest) {
        String remembered = longest.compareTo(quarantine) > 0
                ? "; the masters remember a longer QUORUMLOCK_TTL_MAX of a replica until it was unused for that time"
                : "";
        return (mastersPersist
                        ? "it is new, lost its data, or has those of another master; keep its data, and run it without"
                                + " replicas and failover"
                        : "it gives no vote after its start until earlier leases have ended; if all masters have appendonly"
                                + " yes and appendfsync always, set QUORUMLOCK_MASTERS_PERSIST=true")
                + remembered;
    }
}
