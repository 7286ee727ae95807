// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import io.quorumlock.history.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** How long so many clients held a lease, each from its answer to the first request of its release. */
final class HolderTimes {
    private HolderTimes() {}

    /** Returns the milliseconds by number of holders. */
    static Map<Integer, Long> of(Collection<Call> calls) {
        Map<String, Long> releases = calls.stream()
                .filter(call -> call.operation() == Operation.RELEASE)
                .collect(Collectors.toMap(call -> call.terms().token(), Call::sent, Math::min));
        List<long[]> changes = new ArrayList<>();
        calls.stream().filter(Call::gotLease).forEach(lease -> {
            changes.add(new long[] {lease.answered(), 1});
            changes.add(new long[] {releases.get(lease.terms().token()), -1});
        });
        changes.sort((one, other) -> Long.compare(one[0], other[0]));
        Map<Integer, Long> shares = new HashMap<>();
        int holders = 0;
        for (int i = 0; i < changes.size() - 1; i++) {
            holders += (int) changes.get(i)[1];
            long length = TimeUnit.NANOSECONDS.toMicros(changes.get(i + 1)[0] - changes.get(i)[0]);
            shares.merge(holders, length, Long::sum);
        }
        shares.replaceAll((number, micros) -> micros / 1_000);
        return shares;
    }
}
