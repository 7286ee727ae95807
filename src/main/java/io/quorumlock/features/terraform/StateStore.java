// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.features.terraform;

import io.quorumlock.core.lock.ResourceName;
import io.quorumlock.core.loop.MonotonicClock;
import io.quorumlock.core.loop.MonotonicTime;
import io.quorumlock.http.Answer;
import io.quorumlock.http.ProblemException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.http.StreamResetException;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * An HTTP store of states: a state is at the URL of the store, followed by "/" and its name. A body that is cut on its way is never
 * completed, and the connection to the store is used again only after both bodies are complete.
 */
final class StateStore {
    private static final Logger LOG = Logger.getLogger(StateStore.class);
    /**
     * More than the runs of Terraform that use a replica at the same time, so that slow ones do not block others. Reads and saves have
     * as many each: slow readers never block a save.
     */
    private static final int CONNECTIONS = 100;
    /** Includes requests that are connecting. Further ones fail, and the tools repeat them. */
    private static final int WAITING = 2 * CONNECTIONS;

    /**
     * The answers that the tools take for a saved state, and for a state or none. Another one may also mean success, such as 202,
     * but of something else. The type that the store gives a state is not passed on: many a small store says text/html of everything,
     * and a browser would run a state of that type.
     */
    private static final Set<Integer> SAVED = Set.of(200, 201, 204);

    private static final Set<Integer> READ = Set.of(200, 204, 404);

    private static final String CHECKSUM = "Content-MD5";

    /** Why an answer ends whose client left. */
    private static final Throwable LEFT = new ClosedChannelException();

    private final String url;
    private final String credentials;
    private final MonotonicClock clock;
    private final Vertx vertx;
    private final HttpClient readers;
    private final HttpClient savers;

    /**
     * @param url may contain a user and a password, which are sent as Basic authentication
     * @param caFile the certificates to trust; empty for those of the JVM
     */
    StateStore(URI url, Optional<Path> caFile, MonotonicClock clock, Vertx vertx) {
        this.clock = clock;
        this.credentials = url.getUserInfo();
        this.url = url.toString().replaceFirst("//[^/@]*@", "//").replaceFirst("/+$", "");
        this.vertx = vertx;
        HttpClientOptions options =
                new HttpClientOptions().setMaxPoolSize(CONNECTIONS).setMaxWaitQueueSize(WAITING);
        caFile.ifPresent(file -> options.setTrustOptions(new PemTrustOptions().addCertPath(file.toString())));
        this.readers = vertx.createHttpClient(options);
        this.savers = vertx.createHttpClient(options);
    }

    /**
     * Passes a request to the store, and its answer back.
     *
     * @param deadline when the connection to the store is closed, and after which nothing is sent
     * @return fails with a {@link ProblemException} if the store does not answer, or with an error
     */
    Future<Void> forward(ResourceName state, RoutingContext context, MonotonicTime deadline) {
        HttpServerRequest request = context.request();
        long most = Math.max(1, deadline.since(clock.now()).toMillis());
        Future<HttpClientRequest> connected = (isRead(request) ? readers : savers)
                .request(new RequestOptions()
                        .setMethod(request.method())
                        .setAbsoluteURI(url + "/" + state.toPath())
                        .setConnectTimeout(most));
        Throwable late = new TimeoutException("no answer within " + Math.round(most / 1000.0) + " s");
        long end = vertx.setTimer(most, timer -> connected.onSuccess(sent -> sent.reset(0, late)));
        return connected
                .compose(sent -> exchange(request, sent, deadline))
                .onComplete(passed -> vertx.cancelTimer(end))
                .recover(failure -> Future.failedFuture(problem(failure, request.response())));
    }

    /** Compares the time itself, because after a pause of this process the timer comes late. */
    private Future<Void> exchange(HttpServerRequest request, HttpClientRequest sent, MonotonicTime deadline) {
        sent.exceptionHandler(StateStore::ignore);
        sent.connection().exceptionHandler(StateStore::ignore);
        if (!clock.now().isBefore(deadline)) {
            sent.reset();
            return Future.failedFuture("no time was left");
        }
        Future<Void> uploaded = send(request, sent);
        return sent.response().compose(answer -> pass(answer, request)).onComplete(passed -> {
            if (passed.failed() || !uploaded.succeeded()) {
                sent.reset();
            }
        });
    }

    private Future<Void> send(HttpServerRequest request, HttpClientRequest sent) {
        if (credentials != null) {
            byte[] basic = credentials.getBytes(StandardCharsets.UTF_8);
            sent.putHeader(
                    HttpHeaders.AUTHORIZATION, "Basic " + Base64.getEncoder().encodeToString(basic));
        }
        if (isRead(request)) {
            return sent.putHeader(HttpHeaders.ACCEPT_ENCODING, HttpHeaders.IDENTITY)
                    .end();
        }
        sent.putHeader(HttpHeaders.CONTENT_TYPE, Answer.JSON);
        copy(CHECKSUM, request.headers(), sent.headers());
        copy(HttpHeaders.CONTENT_LENGTH.toString(), request.headers(), sent.headers());
        sent.setChunked(!sent.headers().contains(HttpHeaders.CONTENT_LENGTH));
        return request.pipe().endOnFailure(false).to(sent).onFailure(cut -> sent.reset(0, cut));
    }

    private static Future<Void> pass(HttpClientResponse answer, HttpServerRequest request) {
        if (!(isRead(request) ? READ : SAVED).contains(answer.statusCode())) {
            answer.exceptionHandler(StateStore::ignore);
            return Future.failedFuture("status " + answer.statusCode());
        }
        HttpServerResponse response = request.response();
        response.setStatusCode(answer.statusCode())
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                .putHeader(HttpHeaders.CONTENT_TYPE, Answer.JSON);
        // Some stores compress all that they send, whatever is asked.
        copy(HttpHeaders.CONTENT_ENCODING.toString(), answer.headers(), response.headers());
        copy(HttpHeaders.CONTENT_LENGTH.toString(), answer.headers(), response.headers());
        response.setChunked(!response.headers().contains(HttpHeaders.CONTENT_LENGTH));
        Future<Void> whole = answer.end();
        return answer.pipe().endOnFailure(false).to(response).recover(cut -> {
            // Ends the answer, unless it failed itself.
            answer.request().reset(0, LEFT);
            return whole;
        });
    }

    private static boolean isRead(HttpServerRequest request) {
        return request.method() == HttpMethod.GET;
    }

    /** The futures have the failure. Without a handler, Vert.x would log it as an error. */
    private static void ignore(Throwable failure) {}

    private static void copy(String header, MultiMap from, MultiMap to) {
        if (from.contains(header)) {
            to.set(header, from.get(header));
        }
    }

    /** Logs the cause, which may be an address that clients must not see, unless it is that the client left. */
    private static ProblemException problem(Throwable failure, HttpServerResponse response) {
        Throwable cause =
                failure instanceof StreamResetException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause != LEFT && !response.closed()) {
            LOG.warnf("the store of states failed cause=\"%s\"", detail(cause));
        }
        return new ProblemException(Answer.of(
                TerraformStates.STATE_STORE_FAILED,
                "It gave no complete answer in time, or none with 200, 201 or 204 for a save, or 200, 204 or 404 for a"
                        + " read. The log of the service has the cause."));
    }

    /** Returns the message with that of its first cause, such as the reason why a certificate is not trusted. */
    private static String detail(Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root == cause ? cause.getMessage() : cause.getMessage() + ": " + root.getMessage();
    }
}
