/**
 * Who may touch which names: keys from a file, their rules by prefix and verb, their quotas. Knows names, not locks; time is
 * passed in.
 */
package io.quorumlock.security;
