// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A program that checks a stored run again:
 * {@code java -cp 'target/test-classes:target/classes:target/quarkus-app/lib/main/*' io.quorumlock.faults.Recheck target/faults/SEED}.
 * Exits with 0 only if all guarantees were kept and there was enough evidence.
 */
final class Recheck {
    private Recheck() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out));
    }

    static int run(String[] arguments, Appendable out) {
        if (arguments.length != 1) {
            return print(out, "name the folder of one run, for example target/faults/42\n", 2);
        }
        try {
            Verdict verdict = Verdict.of(RecordedRun.read(Path.of(arguments[0])));
            return print(out, verdict.text(), verdict.isGood() ? 0 : 1);
        } catch (HistoryFile.Unreadable e) {
            return print(out, "cannot be checked: " + e.getMessage() + "\n", 2);
        }
    }

    private static int print(Appendable out, String text, int status) {
        try {
            out.append(text);
            return status;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
