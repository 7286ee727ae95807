package io.quorumlock.bench;

/** Is one client's operation, again and again: one or more requests, each made of the answer before it. */
interface Dialogue {
    String first();

    /** Makes the next request, or null where the operation has ended. */
    String next(HttpAnswer answer);

    boolean succeeded();

    /** Says for how many nanoseconds the client rests before it sends the request that it made last. */
    default long rest() {
        return 0;
    }

    /** Hears that the request is sent now. */
    default void sending() {}

    /** Says how much of the time that the operation took, in nanoseconds, is to be counted: normally all. */
    default long counted(long whole) {
        return whole;
    }
}
