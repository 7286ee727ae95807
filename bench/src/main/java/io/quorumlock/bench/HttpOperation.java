// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The requests of one client's operation. Each request can depend on the response before it. Instances are reused. */
interface HttpOperation {
    /** Starts a new operation and returns its first request. */
    String first();

    /** Returns the next request, or null if the operation has ended. */
    String next(HttpConnection.Response response);

    /** Returns whether the operation that ended last was successful. */
    boolean succeeded();

    /** Returns the pause in nanoseconds before the request that was created last is sent. */
    default long pauseNanos() {
        return 0;
    }

    /** Notes that the request that was created last is sent now. */
    default void onSend() {}

    /**
     * Returns the latency to record, in nanoseconds.
     *
     * @param elapsed nanoseconds since the beginning of the operation
     */
    default long latency(long elapsed) {
        return elapsed;
    }

    static String acquireRequest(String resource, String parameters) {
        return request("POST", "/" + resource + "?" + parameters, "Content-Length: 0\r\n");
    }

    private static String request(String method, String target, String header) {
        return method + " /locks" + target + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n";
    }

    static String releaseRequest(String resource, HttpConnection.Response lease) {
        return release("/" + resource, lease);
    }

    private static String release(String target, HttpConnection.Response lease) {
        return request("DELETE", target, "Lock-Token: " + lease.token() + "\r\n");
    }

    /** A GET request of a path that needs no master. */
    final class Get implements HttpOperation {
        private final String request;
        private boolean succeeded;

        Get(String path) {
            request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        }

        @Override
        public String first() {
            return request;
        }

        @Override
        public String next(HttpConnection.Response response) {
            succeeded = response.status() == 200;
            return null;
        }

        @Override
        public boolean succeeded() {
            return succeeded;
        }
    }

    /** An acquire of a new resource after an optional pause. The lease expires. */
    final class Acquire implements HttpOperation {
        private final long pauseNanos;
        private boolean acquired;
        private long sent;

        Acquire(long pauseNanos) {
            this.pauseNanos = pauseNanos;
        }

        @Override
        public String first() {
            return acquireRequest(Workload.newResource(), "ttlMs=1000");
        }

        @Override
        public String next(HttpConnection.Response response) {
            acquired = response.status() == 201;
            return null;
        }

        @Override
        public long pauseNanos() {
            return pauseNanos;
        }

        @Override
        public void onSend() {
            sent = System.nanoTime();
        }

        @Override
        public long latency(long elapsed) {
            return System.nanoTime() - sent;
        }

        @Override
        public boolean succeeded() {
            return acquired;
        }
    }

    /** A cycle: an acquire and the release of the lease. */
    final class Cycle implements HttpOperation {
        private static final int SEVERAL = 8;
        private final Supplier<String> targets;
        private final String kind;
        private String target;
        private boolean acquired;
        private boolean released;

        private Cycle(Supplier<String> targets, String kind) {
            this.targets = targets;
            this.kind = kind;
        }

        /** Creates cycles of new resources. */
        Cycle() {
            this(() -> "/" + Workload.newResource() + "?", "");
        }

        /** Creates cycles of eight new resources each. */
        static Cycle ofEight() {
            return new Cycle(
                    () -> Stream.generate(() -> "names=" + Workload.newResource())
                            .limit(SEVERAL)
                            .collect(Collectors.joining("&", "?", "&")),
                    "");
        }

        /** Creates cycles of one resource, which all clients share. */
        static Cycle shared() {
            return new Cycle(() -> "/shared?", "&mode=shared");
        }

        @Override
        public String first() {
            target = targets.get();
            acquired = false;
            released = false;
            return request("POST", target + "ttlMs=1000" + kind, "Content-Length: 0\r\n");
        }

        @Override
        public String next(HttpConnection.Response response) {
            if (acquired) {
                released = response.status() == 204;
                return null;
            }
            acquired = response.status() == 201;
            return acquired ? release(target, response) : null;
        }

        @Override
        public boolean succeeded() {
            return released;
        }
    }

    /** An acquire of a new resource or, once {@link Stock#full} is set, the release of a lock that was acquired before. */
    final class Hold implements HttpOperation {
        private final Stock stock;
        private String resource;
        private boolean succeeded;

        Hold(Stock stock) {
            this.stock = stock;
        }

        @Override
        public String first() {
            if (stock.full) {
                return stock.releases.remove();
            }
            resource = Workload.newResource();
            return acquireRequest(resource, "ttlMs=300000");
        }

        @Override
        public String next(HttpConnection.Response response) {
            succeeded = response.status() == (stock.full ? 204 : 201);
            if (succeeded && !stock.full) {
                stock.releases.add(releaseRequest(resource, response));
            }
            return null;
        }

        @Override
        public boolean succeeded() {
            return succeeded;
        }

        /** The locks that all clients together hold. One thread drives all of them. */
        static final class Stock {
            /** The requests that release the locks. */
            final Deque<String> releases = new ArrayDeque<>();

            boolean full;
        }
    }

    /**
     * An acquire of the resource that all clients want, a pause, and the release. The latency is the time without a
     * holder: from the send of a release to the response of the next holder.
     */
    final class HandOver implements HttpOperation {
        private final HotResource hot;
        private boolean acquired;
        private boolean released;
        private long freeNanos;

        HandOver(HotResource hot) {
            this.hot = hot;
        }

        @Override
        public String first() {
            acquired = false;
            released = false;
            if (hot.waiters++ == 0) {
                hot.releasedAt = System.nanoTime();
            }
            return acquireRequest(hot.name, "ttlMs=1000&waitMs=10000");
        }

        @Override
        public String next(HttpConnection.Response response) {
            if (acquired) {
                released = response.status() == 204;
                return null;
            }
            hot.waiters--;
            acquired = response.status() == 201;
            if (!acquired) {
                return null;
            }
            freeNanos = System.nanoTime() - hot.releasedAt;
            return releaseRequest(hot.name, response);
        }

        @Override
        public long pauseNanos() {
            return acquired ? hot.holdNanos : 0;
        }

        @Override
        public void onSend() {
            if (acquired) {
                hot.releasedAt = System.nanoTime();
            }
        }

        @Override
        public boolean succeeded() {
            return released;
        }

        @Override
        public long latency(long elapsed) {
            return freeNanos;
        }

        /** The resource that all clients want. One thread drives all of them. */
        static final class HotResource {
            private final String name = Workload.newResource();
            private final long holdNanos;
            private int waiters;
            private long releasedAt;

            HotResource(long holdNanos) {
                this.holdNanos = holdNanos;
            }
        }
    }
}
