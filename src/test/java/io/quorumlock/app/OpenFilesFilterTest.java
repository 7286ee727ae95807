// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class OpenFilesFilterTest {
    private final OpenFilesFilter filter = new OpenFilesFilter();

    @Test
    void logsOneLineWithoutStackTrace() {
        LogRecord first = line("io.netty.channel.DefaultChannelPipeline", "accept(..) failed: Too many open files");
        assertTrue(filter.isLoggable(first));
        assertNull(first.getThrown());
        assertEquals(
                "too many open files: new connections wait; raise the limit of the process, ulimit -n",
                first.getMessage());
        assertFalse(filter.isLoggable(
                line("io.netty.channel.DefaultChannelPipeline", "accept(..) failed: Too many open files")));
    }

    @Test
    void changesNoOtherLine() {
        LogRecord other = line("io.netty.channel.DefaultChannelPipeline", "reset");
        assertTrue(filter.isLoggable(other));
        assertEquals("as it was", other.getMessage());
        assertEquals("reset", other.getThrown().getMessage());
        assertTrue(filter.isLoggable(line("io.quorumlock.http.keys.KeyRing", "Too many open files")));
    }

    private static LogRecord line(String logger, String cause) {
        LogRecord line = new LogRecord(Level.WARNING, "as it was");
        line.setLoggerName(logger);
        line.setThrown(new IOException(cause));
        return line;
    }
}
