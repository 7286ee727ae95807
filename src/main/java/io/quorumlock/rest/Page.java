package io.quorumlock.rest;

import io.vertx.ext.web.RoutingContext;

/** Is what a GET of one fixed path shows. */
interface Page {
    String path();

    /** @param query undecoded, empty if there is none */
    void answer(RoutingContext context, String query, Access access);
}
