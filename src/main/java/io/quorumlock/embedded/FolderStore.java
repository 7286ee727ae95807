// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.apache.zookeeper.util.ServiceUtils;

/**
 * A ZooKeeper server in this process that keeps its data in a folder: a store with one member, which tolerates no failure. Each write
 * is on the disk before it is answered.
 */
public final class FolderStore implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    /** A start after a crash reads the log of up to 100,000 writes. */
    private static final long LONGEST_START_MILLIS = 120_000;

    private final FileChannel lock;
    private final ZooKeeperServerEmbedded server;
    private final String address;

    private FolderStore(FileChannel lock, ZooKeeperServerEmbedded server, String address) {
        this.lock = lock;
        this.server = server;
        this.address = address;
    }

    /** Returns why the folder cannot be used; empty if it can, or may be created. */
    public static Optional<String> refusal(Path folder) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            return Optional.of("not a folder; write the path of one");
        }
        Path existing = Files.exists(folder) ? folder : folder.toAbsolutePath().getParent();
        if (!Files.isDirectory(existing)) {
            return Optional.of("no such folder; create " + existing);
        }
        return Files.isWritable(existing)
                ? Optional.empty()
                : Optional.of("the user of this process, " + System.getProperty("user.name")
                        + ", cannot write there; change the owner of " + existing);
    }

    /**
     * Starts the server on a free loopback port, and waits until it serves. The process ends with status 1 if the server ends later,
     * for example because its disk is full.
     *
     * @throws IllegalStateException with the reason, if it does not start
     */
    public static FolderStore start(Path folder) {
        FileChannel lock = null;
        try {
            Files.createDirectories(folder);
            lock = lock(folder);
            deleteLeftSettings(folder);
            int port = FreePorts.find(1).get(0);
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(folder)
                    .configuration(properties(folder, port))
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(LONGEST_START_MILLIS);
            ServiceUtils.setSystemExitProcedure(status -> end(folder));
            return new FolderStore(lock, server, HOST + ":" + port);
        } catch (Exception e) {
            close(lock);
            throw new IllegalStateException(e instanceof IllegalStateException ? e.getMessage() : e.toString(), e);
        }
    }

    /** Two servers with the same data would destroy them. The system releases the lock when the process ends, even if it is killed. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel file =
                FileChannel.open(folder.resolve("in-use"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (file.tryLock() != null) {
                return file;
            }
        } catch (OverlappingFileLockException inThisProcess) {
            // Refused below.
        }
        file.close();
        throw new IllegalStateException("in use by another process; stop it, or write another folder");
    }

    /** The server writes its settings to a file for each start, and does not delete it if the process is killed. */
    private static void deleteLeftSettings(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, "zookeeper.configuration*.properties")) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
    }

    private static Properties properties(Path folder, int port) {
        Properties all = new Properties();
        all.setProperty("dataDir", folder.toString());
        all.setProperty("clientPortAddress", HOST);
        all.setProperty("clientPort", Integer.toString(port));
        all.setProperty("admin.enableServer", "false");
        all.setProperty("autopurge.purgeInterval", "1");
        return all;
    }

    private static void end(Path folder) {
        System.err.println("the store in " + folder + " has ended: can it be written, and is its disk full?");
        System.exit(1);
    }

    /** Returns the address of the server, as the client expects it. */
    public String address() {
        return address;
    }

    /** Stops the server. */
    @Override
    public void close() {
        server.close();
        close(lock);
    }

    private static void close(FileChannel lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot release the folder: " + e.getMessage(), e);
        }
    }
}
