package io.quorumlock.security;

/** Is one entry of the file. */
record ApiKey(KeyId id, KeyHash hash, AccessRules rules, Quota quota) {}
