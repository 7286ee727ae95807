/**
 * Shows what becomes of requests as spans, for a collector of OpenTelemetry. The one room that knows OpenTelemetry, and only
 * made where somebody wants traces: without it none of its classes is loaded (ADR 21).
 */
package io.quorumlock.tracing;
