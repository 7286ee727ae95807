package io.quorumlock.security;

/** Hears whom the guard refused. */
public interface GuardEvents {

    void refused(RefusalReason reason);
}
