package io.quorumlock.bench;

/**
 * Waits for the one resource that all want, holds it for a while or not at all, releases it, and queues up again. Counted is how long the resource was
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
        private final long hold;
        private int wanted;
        private long releasedAt;

        /** @param hold for how many nanoseconds each holds it */
        Hot(long hold) {
            this.hold = hold;
        }
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
        free = System.nanoTime() - hot.releasedAt;
        return HttpCycle.release(hot.name, HttpCycle.token(answer));
    }

    @Override
    public long rest() {
        return acquired ? hot.hold : 0;
    }

    @Override
    public void sending() {
        if (acquired) {
            hot.releasedAt = System.nanoTime();
        }
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
