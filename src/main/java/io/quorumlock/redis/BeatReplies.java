package io.quorumlock.redis;

import io.quorumlock.lock.NoQuorumReason;
import io.quorumlock.lock.NodeFailure;
import io.quorumlock.session.BeatOutcome;
import io.vertx.redis.client.Response;
import io.vertx.redis.client.ResponseType;
import java.util.concurrent.CompletableFuture;

/** Gathers what the nodes say of one beat: whether anybody heard it there. One that did is enough. */
final class BeatReplies implements Command.Listener {
    private final int nodes;
    private final int quorum;
    private final CompletableFuture<BeatOutcome> answer = new CompletableFuture<>();
    private int outstanding;
    private int silent;

    BeatReplies(int nodes, int quorum) {
        this.nodes = nodes;
        this.quorum = quorum;
        this.outstanding = nodes;
    }

    CompletableFuture<BeatOutcome> answer() {
        return answer;
    }

    @Override
    public void answered(Response response) {
        boolean tells = response != null && response.type() == ResponseType.NUMBER && response.toLong() >= 0;
        if (tells && response.toLong() > 0) {
            answer.complete(new BeatOutcome.Heard());
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
                            ? new BeatOutcome.NoSession()
                            : new BeatOutcome.Unconfirmed(
                                    new NoQuorumReason(silent, quorum, nodes, NoQuorumReason.Effect.UNKNOWN)));
        }
    }
}
