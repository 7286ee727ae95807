package io.quorumlock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlock.lock.Release;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the framework does when a client hangs up is to cancel the answer. */
class ClientGoneTest {
    private final CompletableFuture<Release> engines = new CompletableFuture<>();
    private final List<Answer> answers = new ArrayList<>();

    @Test
    void aCancelledAnswerCancelsTheEnginesCall() {
        ask().cancel();
        assertTrue(engines.isCancelled());
        assertEquals(List.of(), answers);
    }

    @Test
    void anAnswerThatNobodyCancelsIsGiven() {
        ask();
        engines.complete(new Release.Released());
        assertEquals(1, answers.size());
    }

    private Cancellable ask() {
        return LockResource.ask(() -> engines, outcome -> Answer.empty(204))
                .subscribe()
                .with(answers::add);
    }
}
