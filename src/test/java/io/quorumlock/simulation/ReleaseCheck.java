package io.quorumlock.simulation;

/** Checks that a release that arrived was carried through, also if its client did not wait for that. */
record ReleaseCheck(World world, Call release) {
    void check() {
        Replica replica = world.replicas.get(release.replica);
        boolean arrived = release.started != Call.NEVER && replica.hinderedAt() < release.invoked;
        if (arrived && world.history.lastRelease(release.token) < release.invoked) {
            world.history.found(Promise.L, "a release that arrived was not carried through: " + release);
        }
    }
}
