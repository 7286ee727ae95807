package io.quorumlock.lock;

/**
 * Bounds what a replica works on at the same time (R14).
 *
 * @param inFlight requests of any kind
 * @param reserved beyond them, for extensions and releases alone
 */
public record RequestLimits(int inFlight, int reserved) {

    /** Is how many may be in flight, the new one included, for it to be let in. */
    public int most(RequestClass lane) {
        return lane == RequestClass.RESERVED ? inFlight + reserved : inFlight;
    }
}
