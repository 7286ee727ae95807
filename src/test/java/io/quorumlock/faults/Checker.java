package io.quorumlock.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Holds a history against the promises: exactly, by sorting and sweeping. */
final class Checker {
    private static final long NEVER = Long.MAX_VALUE;

    private final History history;
    private final List<Violation> violations = new ArrayList<>();
    private final Endings endings;

    private Checker(History history) {
        this.history = history;
        this.endings = new Endings(history.calls());
    }

    /**
     * Is what was found.
     *
     * @param outside the leases that were lost while the wall clock of a master was stepped, until the master was well again:
     *     Redis expires by it, so the master forgets, and a lease need have no vote to spare. All else holds all the same
     */
    record Findings(List<Violation> broken, List<Violation> outside) {}

    static Findings check(History history) {
        Checker checker = new Checker(history);
        checker.check();
        checker.violations.sort(Comparator.comparingLong(Violation::at));
        Map<Boolean, List<Violation>> outside = checker.violations.stream()
                .collect(Collectors.partitioningBy(violation -> isOutsideTheModel(history, violation)));
        return new Findings(outside.get(false), outside.get(true));
    }

    private static boolean isOutsideTheModel(History history, Violation violation) {
        return violation.isLoss()
                && history.faults().stream()
                        .filter(fault -> fault.kind() == FaultKind.STEP_CLOCK)
                        .anyMatch(fault -> fault.from() < violation.at() && violation.at() < fault.well());
    }

    private void check() {
        Map<String, List<Call>> byResource = history.calls().stream().collect(Collectors.groupingBy(Call::resource));
        byResource.values().forEach(this::checkExclusion);
        history.calls().forEach(this::checkValidity);
        FenceCheck fences = new FenceCheck(violations);
        byResource.values().forEach(fences::check);
        OwnershipCheck ownership = new OwnershipCheck(endings, history.faults(), violations);
        history.calls().stream()
                .collect(Collectors.groupingBy(Call::lease))
                .values()
                .forEach(ownership::check);
        new TimeCheck(history, violations).check();
        CarriedThroughCheck carriedThrough = new CarriedThroughCheck(history.faults(), violations);
        byResource.values().forEach(carriedThrough::check);
        history.observations().stream()
                .filter(observation -> !observation.isGood())
                .forEach(bad -> violations.add(new Violation(
                        bad.promise(), NEVER, bad.what() + ": " + bad.value() + ", at most " + bad.most())));
    }

    /** S1: sorted by their beginning, each claim begins after the longest one of others before it ended. */
    private void checkExclusion(List<Call> calls) {
        List<Claim> claims = calls.stream()
                .flatMap(call -> endings.claim(call).stream())
                .sorted(Comparator.comparingLong(Claim::from))
                .toList();
        Claim longest = claims.isEmpty() ? null : claims.get(0);
        for (Claim claim : claims) {
            boolean others = !claim.call().lease().equals(longest.call().lease());
            if (others && claim.from() < longest.until()) {
                long overlap = Math.min(claim.until(), longest.until()) - claim.from();
                violations.add(new Violation(
                        Promise.S1,
                        claim.from(),
                        "two holders for " + overlap + " ns:\n  " + longest.call() + "\n  " + claim.call()));
            }
            longest = claim.until() > longest.until() ? claim : longest;
        }
    }

    /**
     * S2: what is said to be left, and the time it took, are together no more than the TTL without the drift. Where the time includes
     * more than the last attempt, it is at least no longer than the call was under way.
     */
    private void checkValidity(Call call) {
        if (!call.hasLease()) {
            return;
        }
        double most =
                call.ttlMs() - Setup.DRIFT.of(Duration.ofMillis(call.ttlMs())).toNanos() / 1e6;
        boolean waited = call.countsElapsedTime() && !call.isReplay() || call.waitMs() > 0;
        boolean tooMuch = call.validityMs() + (waited ? 0 : call.elapsedMs()) > most;
        boolean tooLong = TimeUnit.MILLISECONDS.toNanos(call.elapsedMs()) > call.returned() - call.invoked();
        if (call.validityMs() <= 0 || tooMuch || tooLong) {
            violations.add(new Violation(Promise.S2, call.returned(), "validity beyond what is left: " + call));
        }
        if (call.validityMs() < call.minValidityMs()) {
            violations.add(new Violation(Promise.S2, call.returned(), "less validity than was asked for: " + call));
        }
    }
}
