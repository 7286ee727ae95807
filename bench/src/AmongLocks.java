package io.quorumlock.bench;

import java.time.Duration;
import java.util.Map;

/** Does another part's work while many other locks stand on all masters. */
final class AmongLocks implements Part {
    private final Setting setting;
    private final int standing;
    private final Part part;

    AmongLocks(Setting setting, int standing, Part part) {
        this.setting = setting;
        this.standing = standing;
        this.part = part;
    }

    @Override
    public void prepare() throws Exception {
        setting.masters().fill(standing);
        part.prepare(); // after what takes a while: the service closes idle connections
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        return part.run(duration);
    }

    @Override
    public Map<String, Double> facts() {
        return part.facts();
    }

    @Override
    public void close() {
        part.close();
    }
}
