package io.quorumlock.rest;

import io.quorumlock.lock.LockDirectory;
import io.quorumlock.lock.PageTerms;
import io.quorumlock.lock.RequestClass;
import io.quorumlock.security.Verb;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;

/** Lists locks. */
@Singleton
final class Listings implements Page {
    private final LockDirectory directory;
    private final Lanes lanes;
    private final OutcomeMapper outcomes;
    private final Exchanges exchanges;

    Listings(LockDirectory directory, Lanes lanes, OutcomeMapper outcomes, Exchanges exchanges) {
        this.directory = directory;
        this.lanes = lanes;
        this.outcomes = outcomes;
        this.exchanges = exchanges;
    }

    @Override
    public String path() {
        return "/locks";
    }

    @Override
    public void answer(RoutingContext context, String query, Access access) {
        exchanges.read(context, body -> {
            PageTerms terms = ListRequest.read(query, body).terms();
            access.requireAll(Verb.LIST, terms.prefix());
            exchanges.answer(
                    context,
                    lanes.through(RequestClass.OPEN, () -> directory.list(terms)),
                    outcome -> outcomes.listing(terms.prefix(), outcome));
        });
    }
}
