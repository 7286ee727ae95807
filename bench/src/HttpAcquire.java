package io.quorumlock.bench;

/** Acquires a resource that nobody ever locked, after a rest or at once, and leaves the lease to its end. */
final class HttpAcquire implements Dialogue {
    private final long rest;
    private boolean acquired;
    private long sent;

    /** @param rest in nanoseconds */
    HttpAcquire(long rest) {
        this.rest = rest;
    }

    @Override
    public String first() {
        return HttpCycle.acquire(Names.next(), "ttlMs=1000");
    }

    @Override
    public String next(HttpAnswer answer) {
        acquired = answer.status() == 201;
        return null;
    }

    @Override
    public long rest() {
        return rest;
    }

    @Override
    public void sending() {
        sent = System.nanoTime();
    }

    @Override
    public long counted(long whole) {
        return System.nanoTime() - sent;
    }

    @Override
    public boolean succeeded() {
        return acquired;
    }
}
