package io.quorumlock.rest;

import io.quorumlock.lock.Fleet;
import io.quorumlock.security.Verb;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Set;

/** Shows the masters as this replica sees them. */
@Singleton
final class Nodes implements Page {
    private final Fleet fleet;
    private final Exchanges exchanges;
    private final AnswerWriter writer;

    Nodes(Fleet fleet, Exchanges exchanges, AnswerWriter writer) {
        this.fleet = fleet;
        this.exchanges = exchanges;
        this.writer = writer;
    }

    @Override
    public String path() {
        return "/nodes";
    }

    @Override
    public void answer(RoutingContext context, String query, Access access) {
        exchanges.read(context, body -> {
            access.requireOverall(Verb.READ);
            Fields.of(Set.of(), query, body).check();
            writer.write(Answer.of(200, NodesBody.of(fleet)), context);
        });
    }
}
