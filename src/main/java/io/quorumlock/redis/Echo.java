package io.quorumlock.redis;

import io.quorumlock.lock.Beat;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.lock.Unanswered;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.concurrent.CompletableFuture;

/** Gathers what the nodes say of one beat: whether anybody heard it there. One that did is enough. */
final class Echo implements Command.Listener {
    private final int nodes;
    private final int quorum;
    private final CompletableFuture<Beat> answer = new CompletableFuture<>();
    private int outstanding;
    private int silent;

    Echo(int nodes, int quorum) {
        this.nodes = nodes;
        this.quorum = quorum;
        this.outstanding = nodes;
    }

    CompletableFuture<Beat> answer() {
        return answer;
    }

    @Override
    public void answered(Response response) {
        boolean tells = response != null && response.type() == ResponseType.NUMBER && response.toLong() >= 0;
        if (tells && response.toLong() > 0) {
            answer.complete(new Beat.Heard());
        } else if (tells) {
            silent++;
        }
        count();
    }

    @Override
    public void failed(NodeFailure reason, boolean sent) {
        count();
    }

    private void count() {
        outstanding--;
        if (outstanding == 0) {
            answer.complete(
                    silent >= quorum
                            ? new Beat.NoSession()
                            : new Beat.Unconfirmed(new Unanswered(silent, quorum, nodes, Unanswered.Effect.UNKNOWN)));
        }
    }
}
