/** Additions to the spans of the Quarkus OpenTelemetry extension (ADR 33). */
package io.quorumlock.tracing;
