package io.quorumlock.security;

/** An entry of the keys file. */
record ApiKey(KeyId id, KeyHash hash, AccessRules rules, Quota quota) {}
