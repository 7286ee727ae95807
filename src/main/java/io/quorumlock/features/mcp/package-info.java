/** Locks for coding agents, by the Model Context Protocol (ADR 31). */
package io.quorumlock.features.mcp;
