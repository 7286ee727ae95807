package io.quorumlock.bench;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.RedisBinary;
import io.quorumlock.embedded.RedisProcess;
import io.quorumlock.embedded.TemporaryFolder;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs five empty masters that keep nothing on disk, each a process that ends with this one. */
final class Masters implements AutoCloseable {
    /** Keeps the marker of the restart guard: a master that loses it gives no vote for longer than the longest TTL. */
    private static final String FORGET = "for _, key in ipairs(redis.call('KEYS', '*')) do"
            + " if string.sub(key, 1, 11) ~= 'quorumlock:' then redis.call('UNLINK', key) end end";

    private static final int COUNT = 5;
    private static final int TRIES = 3;
    /** Takes a master less than its time limit for scripts. */
    private static final int CHUNK = 250_000;

    private static final String FILL = "for i = ARGV[1], ARGV[2] do redis.call("
            + "'SET', 'lock:standing/' .. i, 'a-token-of-some-160-bits-xx 1 0 1 1 ', 'PX', 3600000) end";
    private static final Pattern TRAFFIC =
            Pattern.compile("(?m)^(?:cmdstat_(\\S+):calls=|(total_net_(?:in|out)put_bytes):)(\\d+)");
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private final TemporaryFolder folder = TemporaryFolder.create();
    private final List<RedisProcess> processes = new ArrayList<>();

    private Masters() {}

    static Masters start() {
        Masters masters = new Masters();
        try {
            Path executable = RedisBinary.find(masters.folder.path());
            while (masters.processes.size() < COUNT) {
                masters.processes.add(masters.onFreePort(executable, TRIES));
            }
            return masters;
        } catch (RuntimeException e) {
            masters.close();
            throw e;
        }
    }

    /** Another process may be faster to take the port. */
    private RedisProcess onFreePort(Path executable, int tries) {
        int port = FreePorts.find(1).get(0);
        try {
            Path own = folder.path().resolve("master-" + port);
            return RedisProcess.start(executable, own, port, "--appendonly", "no");
        } catch (IllegalStateException e) {
            if (tries == 1) {
                throw e;
            }
            return onFreePort(executable, tries - 1);
        }
    }

    List<URI> urls() {
        return processes.stream().map(RedisProcess::url).toList();
    }

    boolean areAlive() {
        return processes.stream().allMatch(RedisProcess::isAlive);
    }

    Stream<ProcessHandle> handles() {
        return processes.stream().map(process -> ProcessHandle.of(process.pid()).orElseThrow());
    }

    /** Drops all locks, so that no part pays for another's. */
    void empty() {
        askAll("EVAL", FORGET, "0");
    }

    /** Has so many other locks stand for as long as any part takes. */
    void fill(int locks) {
        for (int first = 1; first <= locks; first += CHUNK) {
            askAll("EVAL", FILL, "0", "" + first, "" + Math.min(locks, first + CHUNK - 1));
        }
    }

    private List<String> askAll(String... words) {
        return urls().parallelStream().map(url -> ask(url, words)).toList();
    }

    private static String ask(URI url, String... words) {
        try (Resp master = Resp.connect(url)) {
            return master.ask(words);
        }
    }

    /** Counts, of all masters together, calls by command, and the bytes that went in and out. */
    Map<String, Long> traffic() {
        return Stream.of("stats", "commandstats")
                .flatMap(section -> askAll("INFO", section).stream())
                .flatMap(info -> TRAFFIC.matcher(info).results())
                .collect(Collectors.groupingBy(
                        found -> found.group(1) == null ? found.group(2) : found.group(1),
                        Collectors.summingLong(found -> Long.parseLong(found.group(3)))));
    }

    /** Stops the first few without ending them or their connections. */
    void suspend(int count) {
        processes.subList(0, count).forEach(RedisProcess::suspend);
    }

    void resume(int count) {
        processes.subList(0, count).forEach(RedisProcess::resume);
    }

    String version() {
        return VERSION.matcher(askAll("INFO", "server").get(0))
                .results()
                .map(found -> found.group(1))
                .findFirst()
                .orElse("unknown");
    }

    @Override
    public void close() {
        processes.forEach(RedisProcess::close);
        folder.close();
    }
}
