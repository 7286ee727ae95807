package io.quorumlock.rest;

import io.quorumlock.lock.Votes;

/** The JSON of votes. */
record VotesBody(int granted, int required, int total) {
    static VotesBody of(Votes votes) {
        return new VotesBody(votes.granted(), votes.required(), votes.total());
    }
}
