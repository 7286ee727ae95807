package io.quorumlock.config;

import io.quorumlock.time.MonotonicClock;
import io.quorumlock.time.MonotonicTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The monotonic clock of the JVM. On Linux it stops while the machine is suspended; the uptime of the kernel does not.
 */
final class SystemClock implements MonotonicClock {
    private static final Path UPTIME = Path.of("/proc/uptime");

    private final long origin = System.nanoTime();
    private final Optional<Duration> uptimeAtOrigin = uptime();

    @Override
    public MonotonicTime now() {
        return new MonotonicTime(System.nanoTime());
    }

    @Override
    public Optional<Duration> suspended() {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - origin);
        return uptimeAtOrigin.flatMap(
                before -> uptime().map(now -> now.minus(before).minus(elapsed)));
    }

    private static Optional<Duration> uptime() {
        try {
            String seconds = Files.readString(UPTIME).split(" ", 2)[0];
            return Optional.of(Duration.ofMillis(Math.round(Double.parseDouble(seconds) * 1_000)));
        } catch (IOException | NumberFormatException notLinux) {
            return Optional.empty();
        }
    }
}
