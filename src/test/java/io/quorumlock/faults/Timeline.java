// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.faults;

import io.quorumlock.history.Call;
import io.quorumlock.history.Outcome;
import io.quorumlock.history.Violation;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A timeline of a run on one HTML page: the faults, and what clients saw at the same time. */
final class Timeline {
    private static final int LEFT = 110;
    private static final int WIDTH = 1_400;
    private static final int LANE = 46;
    private static final int CHART = 110;
    private static final int CHARTS = 4;
    private static final int TOP = 30;
    private static final List<String> LANES =
            List.of("master-1", "master-2", "master-3", "master-4", "master-5", "replica-1", "replica-2");

    private final RecordedRun run;
    private final Verdict verdict;
    private final long begun;
    private final int seconds;
    private final StringBuilder out = new StringBuilder();

    Timeline(RecordedRun run, Verdict verdict) {
        this.run = run;
        this.verdict = verdict;
        this.begun = run.header().map(RunHeader::begun).orElse(0L);
        long last = run.calls().stream().mapToLong(Call::answered).max().orElse(begun);
        this.seconds = (int) ((last - begun) / 1_000_000_000) + 1;
    }

    String html() {
        int height = TOP + LANES.size() * LANE + CHARTS * (CHART + 20) + 40;
        add(
                """
                <!doctype html><meta charset="utf-8"><title>Faults on real Redis, seed %d</title>
                <style>body{font:13px sans-serif;margin:20px}svg text{font:11px sans-serif}pre{white-space:pre-wrap}
                .fault{fill:#c0392b}.recovery{fill:#f0b27a}.grid{stroke:#ddd}.violation{stroke:#8e44ad;stroke-width:2}</style>
                <h1>Faults on real Redis, seed %d</h1><pre>%s</pre>
                <p>Red: the fault. Orange: until the recovery of its victim. Violet: a violation.</p>
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">
                """,
                verdict.statistics().seed(),
                verdict.statistics().seed(),
                escape(verdict.text()),
                LEFT + WIDTH + 20,
                height);
        drawTime(height);
        drawLanes();
        int y = TOP + LANES.size() * LANE + 20;
        drawChart(y, "grants/s", "#27ae60", Call::gotLease);
        drawChart(y + CHART + 20, "contended/s", "#2980b9", call -> call.outcome() == Outcome.HELD);
        drawChart(y + 2 * (CHART + 20), "unavailable/s", "#c0392b", Statistics::isUnavailable);
        drawChart(y + 3 * (CHART + 20), "no answer/s", "#7f8c8d", Timeline::isLost);
        verdict.violations().forEach(violation -> drawViolation(violation, height));
        return out.append("</svg>\n").toString();
    }

    private void drawTime(int height) {
        int step = Math.max(5, seconds / 24);
        for (int second = 0; second <= seconds; second += step) {
            double x = x(begun + second * 1_000_000_000L);
            add("<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", x, x, TOP - 5, height - 20);
            add("<text x=\"%.1f\" y=\"%d\">%d s</text>", x, TOP - 10, second);
        }
    }

    private void drawLanes() {
        for (int lane = 0; lane < LANES.size(); lane++) {
            int y = TOP + lane * LANE;
            add("<text x=\"0\" y=\"%d\">%s</text>", y + 18, LANES.get(lane));
            String name = LANES.get(lane);
            List<FaultRecord> faults = run.faults().stream()
                    .filter(fault -> fault.victim().equals(name))
                    .sorted(Comparator.comparingLong(FaultRecord::from))
                    .toList();
            for (int i = 0; i < faults.size(); i++) {
                drawFault(faults.get(i), y, y + 26 + i % 2 * 11); // two rows of names, so that they do not overlap
            }
        }
    }

    /** Returns whether the replica was down or the connection broke. */
    private static boolean isLost(Call call) {
        return !call.outcome().isAnswer() && call.outcome() != Outcome.LEFT;
    }

    private void drawFault(FaultRecord fault, int y, int nameY) {
        String kind = fault.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String title = escape(
                "%d %s %s %d: %s".formatted(fault.number(), kind, fault.command(), fault.amount(), fault.evidence()));
        add("<g><title>%s</title>", title);
        bar("recovery", fault.until(), fault.recovered(), y);
        bar("fault", fault.from(), fault.until(), y);
        add("<text x=\"%.1f\" y=\"%d\">%s</text></g>", x(fault.from()), nameY, seconds > 400 ? "" : kind);
    }

    private void bar(String style, long from, long until, int y) {
        double width = Math.max(1, x(until) - x(from));
        add("<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"12\"/>", style, x(from), y + 4, width);
    }

    private void drawChart(int y, String name, String color, Predicate<Call> counted) {
        int[] counts = new int[seconds + 1];
        run.calls().stream()
                .filter(counted)
                .mapToInt(call -> (int) Math.floorDiv(call.answered() - begun, 1_000_000_000L))
                .filter(second -> second >= 0 && second <= seconds)
                .forEach(second -> counts[second]++);
        int most = Math.max(1, IntStream.of(counts).max().orElse(1));
        String points = Stream.concat(
                        Stream.of("%d,%d".formatted(LEFT, y + CHART)),
                        IntStream.range(0, seconds).mapToObj(second -> "%.1f,%.1f"
                                .formatted(
                                        x(begun + second * 1_000_000_000L),
                                        y + CHART - (double) CHART * counts[second] / most)))
                .collect(Collectors.joining(" "));
        double end = x(begun + seconds * 1_000_000_000L);
        add("<text x=\"0\" y=\"%d\">%s</text><text x=\"0\" y=\"%d\">most %d</text>", y + 14, name, y + 30, most);
        add(
                "<polygon points=\"%s %.1f,%d\" fill=\"%s\" fill-opacity=\"0.3\" stroke=\"%s\"/>",
                points, end, y + CHART, color, color);
    }

    private void drawViolation(Violation violation, int height) {
        double x = Math.min(LEFT + WIDTH, x(violation.at()));
        add(
                "<line class=\"violation\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"><title>%s</title></line>",
                x, x, TOP - 5, height - 20, escape(violation.toString()));
    }

    private double x(long at) {
        return LEFT + WIDTH * ((at - begun) / 1e9) / seconds;
    }

    private void add(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
