// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.redis;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.impl.types.ErrorType;
import java.util.List;

/** A connection without a socket that behaves like one of the client library. */
public abstract class SimulatedConnection implements RedisConnection {
    private Handler<Void> ended = end -> {};

    /** Sends a batch of commands; the promise receives the replies. */
    protected abstract void transmit(List<Request> requests, Promise<List<Response>> promise);

    /** Closes the connection from the server's side. */
    protected final void end() {
        ended.handle(null);
    }

    /** Completes a batch like the client library: one error fails the whole batch. */
    protected static void settle(Promise<List<Response>> promise, List<Response> responses) {
        for (Response response : responses) {
            if (response instanceof ErrorType error) {
                promise.tryFail(error);
                return;
            }
        }
        promise.tryComplete(responses);
    }

    @Override
    public Future<Response> send(Request request) {
        return batch(List.of(request)).map(responses -> responses.get(0));
    }

    @Override
    public Future<List<Response>> batch(List<Request> requests) {
        Promise<List<Response>> promise = Promise.promise();
        transmit(requests, promise);
        return promise.future();
    }

    @Override
    public RedisConnection endHandler(Handler<Void> handler) {
        ended = handler;
        return this;
    }

    @Override
    public RedisConnection exceptionHandler(Handler<Throwable> handler) {
        return this;
    }

    @Override
    public RedisConnection handler(Handler<Response> handler) {
        return this;
    }

    @Override
    public RedisConnection pause() {
        return this;
    }

    @Override
    public RedisConnection resume() {
        return this;
    }

    @Override
    public RedisConnection fetch(long amount) {
        return this;
    }

    @Override
    public Future<Void> close() {
        return Future.succeededFuture();
    }

    @Override
    public boolean pendingQueueFull() {
        return false;
    }
}
