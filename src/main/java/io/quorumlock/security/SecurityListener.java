package io.quorumlock.security;

/** A listener for rejected requests. */
public interface SecurityListener {

    void refused(RefusalReason reason);
}
