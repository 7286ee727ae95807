/**
 * API keys from a file, with their rules by prefix and verb, and their quotas.
 */
package io.quorumlock.http.keys;
