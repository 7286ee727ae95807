package io.quorumlock.bench;

import java.util.Map;
import java.util.stream.Collectors;

/** Is what all parts work on: the same masters and the same process of the service. */
final class Setting implements AutoCloseable {
    private final Masters masters;
    private Service service;
    private Service plain;
    private RuntimeException noService;

    /** Starts all of it; without the service the parts that need none still run. */
    Setting() {
        masters = Masters.start();
        try {
            service = Service.start(masters.urls(), Service.Form.FULL);
        } catch (RuntimeException e) {
            noService = e;
        }
    }

    Masters masters() {
        return masters;
    }

    Service service() {
        if (service == null) {
            throw noService;
        }
        return service;
    }

    /** Starts the service without fencing and guard, when it is first asked for. */
    Service plainService() {
        if (plain == null) {
            plain = Service.start(masters.urls(), Service.Form.PLAIN);
        }
        return plain;
    }

    /** Refuses to go on with less than there was. */
    void check() {
        if (!masters.areAlive()) {
            throw new IllegalStateException("a master has ended");
        }
        if (service != null && !service.handle().isAlive()) {
            throw new IllegalStateException("the service has ended");
        }
    }

    /** Reads how much processor time each side has used so far, in microseconds. */
    Map<String, Long> cpuMicros() {
        return Map.of(
                "bench", micros(ProcessHandle.current()),
                "service", micros(service) + micros(plain),
                "masters", masters.handles().collect(Collectors.summingLong(Setting::micros)));
    }

    private static long micros(Service process) {
        return process == null ? 0 : micros(process.handle());
    }

    private static long micros(ProcessHandle process) {
        return process.info().totalCpuDuration().orElseThrow().toNanos() / 1_000;
    }

    @Override
    public void close() {
        if (service != null) {
            service.close();
        }
        if (plain != null) {
            plain.close();
        }
        masters.close();
    }
}
