package io.quorumlock.security;

/** Tells what became of the file of keys. */
public interface KeysState {
    /** Is the state where no keys are asked for. */
    static KeysState none() {
        return new KeysState() {
            @Override
            public int keys() {
                return 0;
            }

            @Override
            public boolean isStale() {
                return false;
            }

            @Override
            public long reloads() {
                return 0;
            }

            @Override
            public long refusedReloads() {
                return 0;
            }
        };
    }

    /** Counts the keys in force. */
    int keys();

    /** Says whether the file says something else than what is in force, because it could not be taken. */
    boolean isStale();

    /** Counts the changes of the file that were taken. */
    long reloads();

    /** Counts those that were refused. */
    long refusedReloads();
}
