/** Configuration and wiring: the room that knows all others, and that none of them knows. */
package io.quorumlock.config;
