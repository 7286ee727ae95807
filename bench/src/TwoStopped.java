package io.quorumlock.bench;

import java.time.Duration;
import java.util.Map;

/** Does another part's work while two of the five masters are stopped: their connections stand, and nothing answers. */
final class TwoStopped implements Part {
    private static final int STOPPED = 2;

    private final Setting setting;
    private final Part part;

    TwoStopped(Setting setting, Part part) {
        this.setting = setting;
        this.part = part;
    }

    @Override
    public void prepare() throws Exception {
        part.prepare();
    }

    @Override
    public Sample run(Duration duration) throws Exception {
        setting.masters().suspend(STOPPED);
        try {
            return part.run(duration);
        } finally {
            setting.masters().resume(STOPPED);
            setting.awaitAllMasters();
        }
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
