// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.bench;

import io.quorumlock.embedded.FreePorts;
import io.quorumlock.embedded.RedisBinary;
import io.quorumlock.embedded.RedisProcess;
import io.quorumlock.embedded.TemporaryFolder;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Five Redis masters. Their processes end with this one. */
final class Masters implements AutoCloseable {
    static final int COUNT = 5;
    private static final int START_ATTEMPTS = 3;
    private static final int REWRITE_POLL_MS = 50;
    /** Few enough keys for a script to end within the time limit of a busy master. */
    private static final int CHUNK = 20_000;

    /** Keeps the keys of the restart guard: a master without them does not vote for longer than the longest TTL. */
    private static final String EMPTY = "local page = redis.call('SCAN', ARGV[1], 'COUNT', ARGV[2])"
            + " for _, key in ipairs(page[2]) do"
            + " if string.sub(key, 1, 11) ~= 'quorumlock:' then redis.call('UNLINK', key) end end return page[1]";

    private static final String FILL = "for i = ARGV[1], ARGV[2] do redis.call("
            + "'SET', 'lock:standing/' .. i, 'a-token-of-some-160-bits-xx 1 0 1 1 ', 'PX', 3600000) end";
    private static final Pattern TRAFFIC = Pattern.compile(
            "(?m)^(?:cmdstat_(\\S+):calls=|(total_net_(?:in|out)put_bytes|total_writes_processed):)(\\d+)");
    private static final Pattern WRITES = Pattern.compile("(?m)^(wchar|syscw|write_bytes): (\\d+)");
    private static final Pattern VERSION = Pattern.compile("redis_version:(\\S+)");

    private static final String[] VOLATILE = {"--appendonly", "no"};
    /** As in deploy/helm/quorumlock/files/redis.conf. */
    private static final String[] DURABLE = {
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--no-appendfsync-on-rewrite",
        "no",
        "--maxmemory",
        "160mb",
        "--maxmemory-policy",
        "noeviction"
    };

    private final String[] options;
    private final TemporaryFolder folder = TemporaryFolder.create();
    private final List<RedisProcess> processes = new ArrayList<>();

    private Masters(String... options) {
        this.options = options;
    }

    /** @param durable whether the masters keep every write, as in production */
    static Masters start(boolean durable) {
        Masters masters = new Masters(durable ? DURABLE : VOLATILE);
        try {
            Path executable = RedisBinary.find(masters.folder.path());
            while (masters.processes.size() < COUNT) {
                masters.processes.add(masters.startOnFreePort(executable, START_ATTEMPTS));
            }
            return masters;
        } catch (RuntimeException e) {
            masters.close();
            throw e;
        }
    }

    /** Tries again with another port, because another process can take the port first. */
    private RedisProcess startOnFreePort(Path executable, int attempts) {
        int port = FreePorts.find(1).get(0);
        try {
            Path own = folder.path().resolve("master-" + port);
            return RedisProcess.start(executable, own, port, options);
        } catch (IllegalStateException e) {
            if (attempts == 1) {
                throw e;
            }
            return startOnFreePort(executable, attempts - 1);
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

    /** Deletes all locks. */
    void empty() {
        urls().parallelStream().forEach(Masters::empty);
    }

    private static void empty(URI url) {
        try (Connection connection = Connection.open(url)) {
            String cursor = "0";
            do {
                cursor = connection.send("EVAL", EMPTY, "0", cursor, "" + CHUNK);
            } while (!cursor.equals("0"));
        }
    }

    /** Creates this many locks with a TTL of an hour. */
    void fill(int locks) {
        for (int first = 1; first <= locks; first += CHUNK) {
            sendToAll("EVAL", FILL, "0", "" + first, "" + Math.min(locks, first + CHUNK - 1));
        }
    }

    private List<String> sendToAll(String... words) {
        return urls().parallelStream().map(url -> send(url, words)).toList();
    }

    private static String send(URI url, String... words) {
        try (Connection connection = Connection.open(url)) {
            return connection.send(words);
        }
    }

    /** Returns the calls by command, the bytes in and out, and the writes, of all masters together. */
    Map<String, Long> traffic() {
        Map<String, Long> traffic = Stream.of("stats", "commandstats")
                .flatMap(section -> sendToAll("INFO", section).stream())
                .flatMap(info -> TRAFFIC.matcher(info).results())
                .collect(Collectors.groupingBy(
                        found -> found.group(1) == null ? found.group(2) : found.group(1),
                        Collectors.summingLong(found -> Long.parseLong(found.group(3)))));
        handles()
                .flatMap(process -> WRITES.matcher(readIo(process)).results())
                .forEach(found -> traffic.merge(found.group(1), Long.parseLong(found.group(2)), Long::sum));
        return traffic;
    }

    /** Returns the writes of a process to files and sockets, as counted by Linux. */
    private static String readIo(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/io"));
        } catch (IOException e) {
            throw new UncheckedIOException("writes can be read on Linux only", e);
        }
    }

    /** Returns a number from the INFO of the first master. */
    long info(String field) {
        return Pattern.compile("(?m)^" + field + ":(\\d+)")
                .matcher(send(urls().get(0), "INFO", "everything"))
                .results()
                .map(found -> Long.parseLong(found.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("INFO has no " + field));
    }

    /** Returns the number of keys of the first master. */
    long keys() {
        return Long.parseLong(send(urls().get(0), "DBSIZE"));
    }

    /** Rewrites the append-only file of the first master and returns its size in bytes. */
    long rewrite(Service service) {
        send(urls().get(0), "BGREWRITEAOF");
        while (info("aof_rewrite_in_progress") + info("aof_rewrite_scheduled") > 0) {
            service.rest(REWRITE_POLL_MS);
        }
        return info("aof_current_size");
    }

    /** Stops the first masters with SIGSTOP. Their connections stay open. */
    void suspend(int count) {
        processes.subList(0, count).forEach(master -> signal(master, "STOP"));
    }

    void resume(int count) {
        processes.subList(0, count).forEach(master -> signal(master, "CONT"));
    }

    private static void signal(RedisProcess master, String name) {
        try {
            new ProcessBuilder("kill", "-s", name, String.valueOf(master.pid()))
                    .start()
                    .onExit()
                    .join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String version() {
        return VERSION.matcher(sendToAll("INFO", "server").get(0))
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

    /** A blocking connection to one master, for commands that are not measured. */
    static final class Connection implements AutoCloseable {
        private static final int TIMEOUT_MS = 30_000;

        private final Socket socket;

        private Connection(Socket socket) {
            this.socket = socket;
        }

        static Connection open(URI url) {
            try {
                Socket socket = new Socket(url.getHost(), url.getPort());
                socket.setSoTimeout(TIMEOUT_MS);
                return new Connection(socket);
            } catch (IOException e) {
                throw new UncheckedIOException("no connection to " + url, e);
            }
        }

        /** Appends a command in the Redis protocol. */
        static void encode(StringBuilder text, String... words) {
            text.append('*').append(words.length).append("\r\n");
            for (String word : words) {
                text.append('$')
                        .append(word.length())
                        .append("\r\n")
                        .append(word)
                        .append("\r\n");
            }
        }

        /** Sends a command and returns its reply, which must be a status, a number or a string. */
        String send(String... words) {
            try {
                StringBuilder command = new StringBuilder();
                encode(command, words);
                socket.getOutputStream().write(command.toString().getBytes(StandardCharsets.US_ASCII));
                DataInputStream in = new DataInputStream(socket.getInputStream());
                String line = readLine(in);
                if (line.startsWith("-")) {
                    throw new IllegalStateException(words[0] + ": " + line);
                }
                if (!line.startsWith("$")) {
                    return line.substring(1);
                }
                if (line.equals("$-1")) {
                    return "";
                }
                byte[] text = new byte[Integer.parseInt(line.substring(1))];
                in.readFully(text);
                readLine(in);
                return new String(text, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("no reply to " + words[0], e);
            }
        }

        private static String readLine(DataInputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
                line.append((char) b);
            }
            return line.toString().strip();
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
