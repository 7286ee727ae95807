package io.quorumlock.bench;

/** Acquires a resource that nobody ever locked, and leaves the lease to its end. */
final class HttpAcquire implements Dialogue {
    private boolean acquired;

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
    public boolean succeeded() {
        return acquired;
    }
}
