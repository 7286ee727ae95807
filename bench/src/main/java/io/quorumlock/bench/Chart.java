// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import static io.quorumlock.bench.Parts.*;

import io.quorumlock.bench.Part.Summary;
import io.quorumlock.bench.Workload.Sample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** An SVG bar chart of the most important parts. A line shows the spread of the rounds. */
final class Chart {
    private static final int WIDTH = 760;
    private static final int LEFT = 250;
    private static final int RIGHT = 130;
    private static final int BAR = 18;
    private static final int STEP = 28;
    private static final int HEAD = 34;

    private final Report report;
    private final StringBuilder elements = new StringBuilder();
    private int y = 14;

    private record Bar(String label, String part, String colour, ToDoubleFunction<Sample> value) {}

    private Chart(Report report) {
        this.report = report;
    }

    static String draw(Report report) {
        Chart chart = new Chart(report);
        chart.panel("Acquire + release, 64 clients: cycles per second", "%,.0f", peers());
        chart.panel("Acquire + release over HTTP, 64 clients: cycles per second", "%,.0f", builds(CYCLE + MANY));
        chart.panel("One hot resource: hand-overs per second", "%,.0f", builds(HOT));
        chart.panel("Acquire + release over HTTP: cycles per second", "%,.0f", clients());
        chart.panel("The same at a fixed rate, half of the most: milliseconds", "%,.2f", stopped());
        return chart.svg();
    }

    private static List<Bar> peers() {
        return List.of(
                new Bar("Quorumlock, over HTTP", CYCLE + MANY, "#2563eb", Sample::perSecond),
                new Bar("node-redlock, in process", NODE_REDLOCK + MANY, "#94a3b8", Sample::perSecond),
                new Bar("RedissonRedLock, in process", REDISSON + MANY, "#94a3b8", Sample::perSecond));
    }

    private static List<Bar> builds(String part) {
        return List.of(
                new Bar("this build", part + THIS_BUILD, "#2563eb", Sample::perSecond),
                new Bar("the other build", part + OTHER_BUILD, "#94a3b8", Sample::perSecond));
    }

    private static List<Bar> clients() {
        return List.of(ONE, FEW, MANY, CROWDED).stream()
                .map(count -> new Bar(count, CYCLE + count, "#2563eb", Sample::perSecond))
                .toList();
    }

    private static List<Bar> stopped() {
        return List.of(
                new Bar("p50, five masters", RATE, "#2563eb", sample -> sample.micros(0.5) / 1e3),
                new Bar("p50, two of them stopped", RATE_STOPPED, "#f59e0b", sample -> sample.micros(0.5) / 1e3),
                new Bar("p99, five masters", RATE, "#2563eb", sample -> sample.micros(0.99) / 1e3),
                new Bar("p99, two of them stopped", RATE_STOPPED, "#f59e0b", sample -> sample.micros(0.99) / 1e3));
    }

    private void panel(String title, String format, List<Bar> bars) {
        List<Bar> drawn = bars.stream()
                .filter(bar -> !report.resultsOf(bar.part()).isEmpty())
                .toList();
        if (drawn.isEmpty()) {
            return;
        }
        double most =
                drawn.stream().mapToDouble(bar -> summary(bar).most()).max().orElseThrow();
        text(16, y + 14, "font-weight=\"bold\"", title);
        y += HEAD;
        for (Bar bar : drawn) {
            bar(bar, summary(bar), (WIDTH - LEFT - RIGHT) / most, format);
        }
        y += STEP / 2;
    }

    private Summary summary(Bar bar) {
        return Summary.of(report.resultsOf(bar.part()), result -> bar.value().applyAsDouble(result.sample()));
    }

    private void bar(Bar bar, Summary summary, double scale, String format) {
        double middle = y + BAR / 2.0;
        text(LEFT - 10, y + 14, "text-anchor=\"end\"", bar.label());
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\"/>%n",
                LEFT, y, summary.median() * scale, BAR, bar.colour());
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#111827\" stroke-width=\"1.5\"/>%n",
                LEFT + summary.least() * scale, middle, LEFT + summary.most() * scale, middle);
        text(
                (int) (LEFT + summary.most() * scale) + 8,
                y + 14,
                "",
                String.format(Locale.ROOT, format, summary.median()));
        y += STEP;
    }

    private void text(int x, int baseline, String style, String text) {
        add(
                "<text x=\"%d\" y=\"%d\" fill=\"#111827\" %s>%s</text>%n",
                x, baseline, style, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private void add(String format, Object... values) {
        elements.append(String.format(Locale.ROOT, format, values));
    }

    private String svg() {
        Map<String, Object> machine = report.machine();
        text(
                16,
                y + 10,
                "font-size=\"11\"",
                "Medians of " + machine.get("rounds") + "; the line is the spread. " + machine.get("cores")
                        + " cores for masters, service and load generator.");
        text(
                16,
                y + 26,
                "font-size=\"11\"",
                machine.get("time") + ", commit " + machine.get("commit") + ", Redis " + machine.get("redis") + ", "
                        + machine.get("processor"));
        int height = y + 40;
        return String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                        + "font-family=\"sans-serif\" font-size=\"13\">%n<rect width=\"100%%\" height=\"100%%\" "
                        + "fill=\"#ffffff\"/>%n%s</svg>%n",
                WIDTH,
                height,
                WIDTH,
                height,
                elements);
    }
}
