package io.quorumlock.bench;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;

/** Answers every request at once with nothing: what HTTP itself costs, with the library that the service stands on. */
final class NothingServer extends AbstractVerticle {
    /** Below zero: any free port, and the same one for all of them. */
    private static final int SHARED_FREE_PORT = -1;

    public static void main(String[] arguments) {
        int loops = 2 * Runtime.getRuntime().availableProcessors(); // as many as the service has
        Vertx.vertx().deployVerticle(NothingServer::new, new DeploymentOptions().setInstances(loops));
    }

    @Override
    public void start(Promise<Void> started) {
        HttpServer server = vertx.createHttpServer()
                .requestHandler(request -> request.response().end());
        server.listen(SHARED_FREE_PORT, "127.0.0.1")
                .onSuccess(open -> System.out.println("Listening on: http://127.0.0.1:" + open.actualPort()))
                .<Void>mapEmpty()
                .onComplete(started);
    }
}
