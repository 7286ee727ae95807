// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import io.quarkus.logging.LoggingFilter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * A filter of the log for a process that may open no more files: Netty would log a stack trace each second until clients close
 * connections.
 */
@LoggingFilter(name = "open-files")
public final class OpenFilesFilter implements Filter {
    private static final long PERIOD_NANOS = Duration.ofMinutes(1).toNanos();

    private final AtomicLong next = new AtomicLong(System.nanoTime());

    @Override
    public boolean isLoggable(LogRecord line) {
        Throwable cause = line.getThrown();
        boolean ofNetwork = String.valueOf(line.getLoggerName()).startsWith("io.netty.");
        if (!ofNetwork || cause == null || !String.valueOf(cause.getMessage()).endsWith("Too many open files")) {
            return true;
        }
        long now = System.nanoTime();
        long due = next.get();
        if (now - due < 0 || !next.compareAndSet(due, now + PERIOD_NANOS)) {
            return false;
        }
        line.setThrown(null);
        line.setMessage("too many open files: new connections wait; raise the limit of the process, ulimit -n");
        return true;
    }
}
