package io.quorumlock.security;

/** Hears whom the guard refused. */
public interface SecurityListener {

    void refused(RefusalReason reason);
}
