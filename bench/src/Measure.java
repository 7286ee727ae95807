package io.quorumlock.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Is the middle of several values and how far they spread. */
record Measure(double median, double least, double most) {

    static <T> Measure of(List<T> samples, ToDoubleFunction<T> value) {
        List<Double> sorted = samples.stream()
                .map(value::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .toList();
        int last = sorted.size() - 1;
        double median = (sorted.get(last / 2) + sorted.get((last + 1) / 2)) / 2;
        return new Measure(median, sorted.get(0), sorted.get(last));
    }

    String show(String format) {
        return String.format(Locale.ROOT, format + " (" + format + "-" + format + ")", median, least, most);
    }
}
