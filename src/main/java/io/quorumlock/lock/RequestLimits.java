package io.quorumlock.lock;

/**
 * The limits of concurrent requests on a replica (R14).
 *
 * @param inFlight maximum number of concurrent requests of any class
 * @param reserved additional number for extensions and releases
 */
public record RequestLimits(int inFlight, int reserved) {

    /** Returns the maximum number of requests in flight, including a new one of this class. */
    public int most(RequestClass lane) {
        return lane == RequestClass.RESERVED ? inFlight + reserved : inFlight;
    }
}
