// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import io.quorumlock.core.fleet.ServerGauge;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.jboss.logging.Logger;

/** The folder of a ZooKeeper server in this process, which no other process can use meanwhile. Old files of it are deleted. */
public final class StoreFolder implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(StoreFolder.class);
    private static final int KEPT_SNAPSHOTS = 3;
    private static final int PURGE_MINUTES = 5;
    /** Where the server has its snapshots and logs. */
    private static final String FILES = "version-2";

    private final Path path;
    private final FileChannel lock;
    private final ScheduledExecutorService purges = Executors.newSingleThreadScheduledExecutor(StoreFolder::daemon);

    private StoreFolder(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
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
                : Optional.of("the user of this process cannot write there; change the owner of " + existing);
    }

    /**
     * Opens the folder, or creates one that only the user of this process can read.
     *
     * @throws IllegalStateException if another process uses it
     */
    static StoreFolder open(Path path) throws IOException {
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        StoreFolder folder = new StoreFolder(path, lock(path));
        folder.purge(); // The start writes a snapshot, for which a full disk may have no space.
        folder.purges.scheduleWithFixedDelay(folder::purge, PURGE_MINUTES, PURGE_MINUTES, TimeUnit.MINUTES);
        return folder;
    }

    /** Two servers with the same data would destroy them. The system releases the lock when the process ends, even if it is killed. */
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel file =
                FileChannel.open(folder.resolve("in-use"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (file.tryLock() == null) {
            file.close();
            throw new IllegalStateException("in use by another process; stop it");
        }
        return file;
    }

    /** Returns whether no server ever wrote into it. */
    boolean isNew() {
        String[] files = path.resolve(FILES).toFile().list();
        return files == null
                ? Files.notExists(path.resolve(FILES))
                : Stream.of(files).noneMatch(name -> name.startsWith("snapshot.") || name.startsWith("log."));
    }

    /** Deletes what a member without a store noted of elections, which it took no part in. A store that begins has none. */
    void forgetEpochs() throws IOException {
        for (String file : List.of("acceptedEpoch", "currentEpoch")) {
            Files.deleteIfExists(path.resolve(FILES).resolve(file));
        }
    }

    Path path() {
        return path;
    }

    long freeMegabytes() {
        return freeBytes() >> 20;
    }

    private long freeBytes() {
        return path.toFile().getUsableSpace();
    }

    List<ServerGauge> gauges() {
        return List.of(
                new ServerGauge("folder.bytes", "Size of the files in the folder of the store", this::bytes),
                new ServerGauge("disk.free.bytes", "Free space on the disk of the folder", this::freeBytes));
    }

    private long bytes() {
        File[] files = path.resolve(FILES).toFile().listFiles();
        return files == null ? 0 : Stream.of(files).mapToLong(File::length).sum();
    }

    /** Deletes what the latest snapshots do not need. ZooKeeper's own timer does so once in an hour at most. */
    private void purge() {
        try {
            PurgeTxnLog.purge(path.toFile(), path.toFile(), KEPT_SNAPSHOTS);
        } catch (IOException e) {
            LOG.warnf("old files of the store not deleted folder=%s reason=\"%s\"", path, e.getMessage());
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "store-folder");
        thread.setDaemon(true);
        return thread;
    }

    /** Allows other processes to use the folder. */
    @Override
    public void close() {
        purges.shutdownNow();
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warnf("folder not released reason=\"%s\"", e.getMessage());
        }
    }
}
