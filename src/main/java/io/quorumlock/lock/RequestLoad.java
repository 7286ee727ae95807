package io.quorumlock.lock;

/** The load of this replica. Waiting acquires are not included; the wait queues limit them. */
public interface RequestLoad {
    int inFlight();

    /** Returns how many requests were rejected because too many were in flight. */
    long shed(RequestClass lane);

    /** Rejects new requests. Requests in flight continue. */
    void end();
}
