// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import java.net.URI;

/** A real Redis server that keeps its port and data across crashes. */
public interface RedisServer extends AutoCloseable {

    /** Returns the URL for clients, which does not change after a crash. */
    URI url();

    /** Starts the server after {@link #kill()} and returns when it answers. Does nothing if it runs. */
    void start();

    /** Kills the server with SIGKILL and returns when the process has ended. Does nothing if it has ended already. */
    void kill();

    /** Stops the server without its data. It answers nothing between their loss and its end. */
    default void killAndEmpty() {
        try (RedisCli cli = RedisCli.connect(url())) {
            cli.emptyAndStop();
        }
        kill();
    }

    /** Suspends the server: connections stay open, but nothing is answered. */
    void suspend();

    /** Resumes a suspended server. */
    void resume();

    /** Kills the server and starts it again. */
    default void restart() {
        kill();
        start();
    }

    /**
     * Sends a command and returns its reply as text. A null reply is {@code (nil)}, an error starts with
     * {@code (error)}.
     */
    default String cli(String... command) {
        try (RedisCli cli = RedisCli.connect(url())) {
            return String.valueOf(cli.send(command));
        }
    }

    /** Stops the server and removes its data. */
    @Override
    void close();
}
