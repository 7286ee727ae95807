/** Additions to the spans of the Quarkus OpenTelemetry extension (ADR 22). Used only if tracing is on. */
package io.quorumlock.tracing;
