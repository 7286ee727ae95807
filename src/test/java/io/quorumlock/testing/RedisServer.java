package io.quorumlock.testing;

import java.net.URI;

/** One real Redis server whose port and data outlive its crashes. */
public interface RedisServer extends AutoCloseable {

    /** Names the server as a client has to; the same before and after a crash. */
    URI url();

    /** Starts the server again after {@link #kill()}, and returns when it answers; does nothing while it runs. */
    void start();

    /** Crashes the server with SIGKILL and returns when it is gone; does nothing when it is gone already. */
    void kill();

    /** Freezes the server: connections stay open, nothing is answered. */
    void suspend();

    /** Lets a frozen server run on. */
    void resume();

    /** Crashes the server and starts it again. */
    default void restart() {
        kill();
        start();
    }

    /** Sends a command and gives its reply as text: nothing is {@code (nil)}, an error starts with {@code (error)}. */
    default String cli(String... command) {
        try (RedisCli cli = RedisCli.connect(url())) {
            return String.valueOf(cli.send(command));
        }
    }

    /** Ends the server and removes its data. */
    @Override
    void close();
}
