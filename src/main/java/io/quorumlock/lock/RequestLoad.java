// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.lock;

/** The load of this replica. Waiting acquires are not included; the wait queues limit them. */
public interface RequestLoad {
    int inFlight();

    /** Returns how many requests were rejected because too many were in flight. */
    long shed(RequestClass lane);

    /** Rejects new requests. Requests in flight continue. */
    void end();

    /** The admission class of a request in the request limiter. */
    enum RequestClass {
        /** Acquires and reads. They are rejected first under load. */
        OPEN,
        /**
         * Extensions and releases. Rejecting them would lose a lease in use, or keep one that is
         * no longer needed.
         */
        RESERVED
    }

    /**
     * The limits of concurrent requests on a replica (R14).
     *
     * @param inFlight maximum number of concurrent requests of any class
     * @param reserved additional number for extensions and releases
     */
    record RequestLimits(int inFlight, int reserved) {

        /** Returns the maximum number of requests in flight, including a new one of this class. */
        public int most(RequestClass lane) {
            return lane == RequestClass.RESERVED ? inFlight + reserved : inFlight;
        }
    }
}
