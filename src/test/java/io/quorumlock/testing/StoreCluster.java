// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.testing;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The members of a store, as processes of this machine. They wait for no disk, which would take most of the time of the tests. */
public abstract class StoreCluster implements AutoCloseable {
    static final String HOST = "127.0.0.1:";
    private static final int PORTS_OF_MEMBER = 4;

    private final TemporaryFolder folder = TemporaryFolder.create();
    private final List<Integer> ports;
    private final Process[] members;

    StoreCluster(int size) {
        this.ports = FreePorts.find(PORTS_OF_MEMBER * size);
        this.members = new Process[size];
    }

    /** Returns the command that starts a member with the data that it had. */
    abstract List<String> command(int member) throws IOException;

    /** Returns the port at which clients reach a member. */
    public final int clientPort(int member) {
        return port(member, 0);
    }

    /** Returns a port of a member, of which others than the first are for the use of the store. */
    final int port(int member, int which) {
        return ports.get(PORTS_OF_MEMBER * member + which);
    }

    /** Returns the folder of the data of a member. */
    final Path folder(int member) throws IOException {
        return Files.createDirectories(folder.path().resolve("member-" + member));
    }

    /** Returns the numbers of the members. */
    public final IntStream members() {
        return IntStream.range(0, members.length);
    }

    /** Starts a member, with the data that it had. Does not wait until it answers. */
    public final void start(int member) {
        try {
            members[member] = new ProcessBuilder(command(member))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder(member).resolve("log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the process of a member. */
    public final long pid(int member) {
        return members[member].pid();
    }

    /** Kills a member with SIGKILL. */
    public final void kill(int member) {
        members[member].destroyForcibly().onExit().join();
    }

    /** Suspends a member: connections stay open, but nothing is answered. */
    public final void suspend(int member) {
        Signal.STOP.send(pid(member));
    }

    /** Resumes a suspended member. */
    public final void resume(int member) {
        Signal.CONT.send(pid(member));
    }

    @Override
    public final void close() {
        members().forEach(this::kill);
        folder.close();
    }
}
