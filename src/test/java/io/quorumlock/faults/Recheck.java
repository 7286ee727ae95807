package io.quorumlock.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Checks a stored run again: {@code java -cp 'target/test-classes:target/classes:target/quarkus-app/lib/main/*'
 * io.quorumlock.faults.Recheck target/faults/SEED}. Ends with 0 only where every promise was kept and there was enough to
 * judge.
 */
final class Recheck {
    private Recheck() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.out));
    }

    static int run(String[] arguments, Appendable out) {
        if (arguments.length != 1) {
            return say(out, "name the folder of one run, as in target/faults/42\n", 2);
        }
        try {
            Verdict verdict = Verdict.of(History.read(Path.of(arguments[0])));
            return say(out, verdict.text(), verdict.isGood() ? 0 : 1);
        } catch (HistoryFile.Unreadable e) {
            return say(out, "cannot be checked: " + e.getMessage() + "\n", 2);
        }
    }

    private static int say(Appendable out, String text, int status) {
        try {
            out.append(text);
            return status;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
