// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.mcp;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Locale;

/** The meter of the calls of agents. */
@Singleton
final class McpMeters {
    private final MeterProvider<Counter> calls;

    McpMeters(MeterRegistry registry) {
        calls = Counter.builder("quorumlock.mcp.calls")
                .description("Calls of the tools of agents, by outcome")
                .withRegistry(registry);
    }

    /** Registers all series before the first call, so that rates include it. */
    void onStart(@Observes StartupEvent event) {
        for (McpTool tool : McpTool.values()) {
            for (ToolOutcome outcome : ToolOutcome.values()) {
                counter(tool, outcome);
            }
        }
    }

    void called(McpTool tool, ToolOutcome outcome) {
        counter(tool, outcome).increment();
    }

    private Counter counter(McpTool tool, ToolOutcome outcome) {
        return calls.withTags(
                Tags.of("tool", tool.toString(), "outcome", outcome.name().toLowerCase(Locale.ROOT)));
    }
}
