package io.quorumlock.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Is the memory of another JVM. */
record Memory(Path java, long pid) {
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final Pattern HEAP = Pattern.compile("(?m)^(?!.*(?:Metaspace|class space)).*\\bused (\\d+)K");
    private static final double KIBI = 1024;

    /** Reads what it occupies of the machine's memory. */
    double residentMebibytes() {
        try {
            Matcher line = RESIDENT.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
            if (!line.find()) {
                throw new IllegalStateException("no VmRSS of process " + pid);
            }
            return Long.parseLong(line.group(1)) / KIBI;
        } catch (IOException e) {
            throw new UncheckedIOException("resident memory can be read on Linux only", e);
        }
    }

    /** Reads how much of its heap is in use. */
    double heapMebibytes() {
        return HEAP.matcher(diagnose("GC.heap_info"))
                        .results()
                        .mapToLong(found -> Long.parseLong(found.group(1)))
                        .sum()
                / KIBI;
    }

    /** Has it collect its garbage. */
    void collect() {
        diagnose("GC.run");
    }

    private String diagnose(String command) {
        try {
            Process jcmd = new ProcessBuilder(java.resolve("bin/jcmd").toString(), Long.toString(pid), command)
                    .redirectErrorStream(true)
                    .start();
            return new String(jcmd.getInputStream().readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("jcmd cannot be run", e);
        }
    }
}
