package io.quorumlock.simulation;

import io.quorumlock.simulation.Call.Kind;
import java.util.List;

/** Knows when the holder of one token gave up what it had, whatever came of it. */
record Endings(List<Call> calls) {

    /**
     * Finds when what this call brought was given up: by a release, or by a call for which too little was left. That touches
     * no lease that was asked for after its own end.
     */
    long of(Call lease) {
        long tooShort = calls.stream()
                .filter(call -> call.gaveUp && call.decided > lease.invoked)
                .mapToLong(call -> call.invoked)
                .min()
                .orElse(Call.NEVER);
        return Math.min(released(), tooShort);
    }

    private long released() {
        return calls.stream()
                .filter(call -> call.kind == Kind.RELEASE)
                .mapToLong(call -> call.invoked)
                .min()
                .orElse(Call.NEVER);
    }
}
