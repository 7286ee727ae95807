package io.quorumlock.bench;

import java.time.Duration;
import java.util.Map;

/** Does another part's work while a crowd waits for other locks. */
final class WithCrowd implements Part {
    private final Service service;
    private final int size;
    private final Part part;
    private Crowd crowd;

    WithCrowd(Service service, int size, Part part) {
        this.service = service;
        this.size = size;
        this.part = part;
    }

    @Override
    public void prepare() throws Exception {
        crowd = Crowd.gather(service, size);
        part.prepare();
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        Sample sample = part.run(duration);
        crowd.check();
        return sample;
    }

    @Override
    public void settle() {
        if (crowd != null) {
            crowd.close();
            crowd = null;
        }
    }

    @Override
    public Map<String, Double> facts() {
        return part.facts();
    }

    @Override
    public void close() {
        settle();
        part.close();
    }
}
