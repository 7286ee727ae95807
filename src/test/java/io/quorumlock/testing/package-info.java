/**
 * Shared test infrastructure: real Redis servers that can be killed and suspended, fakes, virtual time and HTTP
 * clients.
 */
package io.quorumlock.testing;
