package io.quorumlock.lock;

/** The load of this replica. Waiting acquires are not included, because the wait queues bound them. */
public interface RequestLoad {
    int inFlight();

    /** Returns the number of requests that were rejected because too many were in flight. */
    long shed(RequestClass lane);

    /** Rejects new requests. Requests in flight continue. */
    void end();
}
