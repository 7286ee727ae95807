package io.quorumlock.rest;

import io.quorumlock.lock.Votes;

/** Is how votes are written. */
record VotesBody(int granted, int required, int total) {
    static VotesBody of(Votes votes) {
        return new VotesBody(votes.granted(), votes.required(), votes.total());
    }
}
