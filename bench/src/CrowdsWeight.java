package io.quorumlock.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts a service, lets a crowd wait on it, and says how much it weighs. One operation is a client that has come to wait. */
final class CrowdsWeight implements Part {
    private static final int SOME = 10;

    private final Setting setting;
    private final int size;
    private final Map<String, Double> facts = new LinkedHashMap<>();

    CrowdsWeight(Setting setting, int size) {
        this.setting = setting;
        this.size = size;
    }

    @Override
    public Sample run(Duration duration) throws IOException {
        try (Service service = Service.start(setting.masters().urls(), Form.PATIENT.named("crowd"))) {
            Crowd.gather(service, size / SOME).close(); // so that code is not weighed
            Memory memory = service.memory();
            memory.collect();
            double heap = memory.heapMebibytes();
            double resident = memory.residentMebibytes();
            long begin = System.nanoTime();
            try (Crowd crowd = Crowd.gather(service, size)) {
                long elapsed = System.nanoTime() - begin;
                facts.put("more resident MiB", memory.residentMebibytes() - resident);
                memory.collect();
                crowd.check();
                facts.put("more resident MiB after a collection", memory.residentMebibytes() - resident);
                facts.put("more heap MiB in use after a collection", memory.heapMebibytes() - heap);
                Latencies each = new Latencies();
                each.add(elapsed / size);
                return new Sample(size, 0, Latencies.merge(List.of(each)), Duration.ofNanos(elapsed));
            }
        }
    }

    @Override
    public Map<String, Double> facts() {
        return Map.copyOf(facts);
    }
}
