package io.quorumlock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Tries the pooled client's forms and takes the fastest, so that the comparison is with the best of them. */
final class PoolChoice {
    private static final List<PooledAcquire.Form> FORMS = List.of(
            new PooledAcquire.Form(1, 1),
            new PooledAcquire.Form(6, 1),
            new PooledAcquire.Form(8, 1),
            new PooledAcquire.Form(1, 2),
            new PooledAcquire.Form(6, 2),
            new PooledAcquire.Form(8, 2));

    private record Tried(PooledAcquire.Form form, double perSecond) {}

    private PoolChoice() {}

    /** A single client has no use for more than one connection. */
    static Part single(Setting setting) throws Exception {
        return new PooledAcquire(setting, 1, FORMS.get(0));
    }

    /** The library's defaults: six connections to each master, all on the event loop of the one who made it. */
    static Part asItComes(Setting setting, int clients) throws Exception {
        return new PooledAcquire(setting, clients, new PooledAcquire.Form(6, 1));
    }

    static Part best(Setting setting, int clients, Duration each, Progress progress) throws Exception {
        List<Tried> tried = new ArrayList<>();
        for (PooledAcquire.Form form : FORMS) {
            try (PooledAcquire part = new PooledAcquire(setting, clients, form)) {
                part.run(each); // warm-up
                setting.masters().empty();
                tried.add(new Tried(form, part.run(each).checked().perSecond()));
                setting.masters().empty();
            }
            progress.note("  %s: %,.0f/s", form, tried.get(tried.size() - 1).perSecond());
        }
        Tried best =
                tried.stream().max(Comparator.comparingDouble(Tried::perSecond)).orElseThrow();
        progress.note("  taken: %s", best.form());
        return new PooledAcquire(setting, clients, best.form());
    }
}
