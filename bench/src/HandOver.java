package io.quorumlock.bench;

/**
 * Waits for the one resource that all want, releases it at once, and queues up again. Counted is how long the resource was
 * nobody's to use: from the release being sent to the next holder's answer.
 */
final class HandOver implements Dialogue {
    private final Hot hot;
    private boolean acquired;
    private boolean released;
    private long free;

    /** Is the resource; one thread has all its clients. */
    static final class Hot {
        private final String name = Names.next();
        private int wanted;
        private long releasedAt;
    }

    HandOver(Hot hot) {
        this.hot = hot;
    }

    @Override
    public String first() {
        acquired = false;
        released = false;
        if (hot.wanted++ == 0) {
            hot.releasedAt = System.nanoTime();
        }
        return HttpCycle.acquire(hot.name, "ttlMs=1000&waitMs=10000");
    }

    @Override
    public String next(HttpAnswer answer) {
        if (acquired) {
            released = answer.status() == 204;
            return null;
        }
        hot.wanted--;
        acquired = answer.status() == 201;
        if (!acquired) {
            return null;
        }
        long now = System.nanoTime();
        free = now - hot.releasedAt;
        hot.releasedAt = now;
        return HttpCycle.release(hot.name, HttpCycle.token(answer));
    }

    @Override
    public boolean succeeded() {
        return released;
    }

    @Override
    public long counted(long whole) {
        return free;
    }
}
