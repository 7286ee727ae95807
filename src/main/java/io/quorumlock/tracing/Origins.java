package io.quorumlock.tracing;

import io.opentelemetry.context.Context;
import io.quorumlock.lock.AcquireTerms;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Remembers in whose name somebody waits. A queue lets a waiter try when another one's round ends, so the thread cannot tell;
 * what goes through the queue as it came are the terms, the very same object each time.
 */
final class Origins {
    private final Map<AcquireTerms, Context> waiting = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Remembers it, and gives terms that are equal and nobody else's. */
    AcquireTerms remember(AcquireTerms terms, Context origin) {
        AcquireTerms own =
                new AcquireTerms(terms.ttl(), terms.minValidity(), terms.patience(), terms.token(), terms.owner());
        waiting.put(own, origin);
        return own;
    }

    void forget(AcquireTerms own) {
        waiting.remove(own);
    }

    /** Finds in whose name an attempt is made. */
    Context of(AcquireTerms terms) {
        return terms.mayBeTriedAgain() ? waiting.getOrDefault(terms, Context.root()) : Origin.current();
    }

    int size() {
        return waiting.size();
    }
}
