// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.prometheus.client.exemplars.tracer.common.SpanContextSupplier;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The trace context of the current task. The Quarkus extension keeps one trace context for each Vert.x context. All
 * rounds run on the engine's single Vert.x context, so each task needs its own trace context.
 */
final class TraceContext {
    private static final ThreadLocal<Context> OF_TASK = new ThreadLocal<>();

    private TraceContext() {}

    /** Returns the context of the task; without one, that of the HTTP request; without that, the root. */
    static Context current() {
        Context task = OF_TASK.get();
        return task == null ? Context.current() : task;
    }

    static void run(Context context, Runnable task) {
        Context before = OF_TASK.get();
        OF_TASK.set(context);
        try {
            task.run();
        } finally {
            restore(before);
        }
    }

    static <T> CompletableFuture<T> call(Context context, Supplier<CompletableFuture<T>> task) {
        Context before = OF_TASK.get();
        OF_TASK.set(context);
        try {
            return task.get();
        } finally {
            restore(before);
        }
    }

    private static void restore(Context before) {
        if (before == null) {
            OF_TASK.remove();
        } else {
            OF_TASK.set(before);
        }
    }

    /** Returns an executor that runs each task in the context of its caller. */
    static Executor propagating(Executor executor) {
        return task -> {
            Context caller = current();
            executor.execute(() -> run(caller, task));
        };
    }

    /** The supplier of trace and span ids for exemplars. */
    static final class OfExemplars implements SpanContextSupplier {

        @Override
        public String getTraceId() {
            return span().getTraceId();
        }

        @Override
        public String getSpanId() {
            return span().getSpanId();
        }

        @Override
        public boolean isSampled() {
            return span().isSampled();
        }

        private static SpanContext span() {
            return Span.fromContext(current()).getSpanContext();
        }
    }
}
