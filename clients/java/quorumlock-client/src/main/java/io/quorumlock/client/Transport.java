// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.client;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;

/** The replicas, the API key, and the connections and threads that all leases of a client share. */
final class Transport {
    final List<String> urls;
    final long timeout; // ms
    final boolean debug = "1".equals(System.getenv("QUORUMLOCK_DEBUG"));
    final HttpClient http;
    /** Runs requests and callbacks. Its size is not limited, so that none of them delays another. */
    final ExecutorService pool = Executors.newCachedThreadPool(daemons("quorumlock"));
    /** Runs only tasks that never block. */
    final ScheduledThreadPoolExecutor timers = new ScheduledThreadPoolExecutor(1, daemons("quorumlock-timer"));

    volatile int preferred; // the index of the base URL that answered last
    private final Path keyFile; // null if the key is not from a file
    private volatile String key; // or null

    /**
     * Creates the threads and the HTTP client.
     *
     * @param urls base URLs, separated by commas
     * @param keyFile null if the key is not from a file
     */
    Transport(String urls, String key, Path keyFile, long timeout, SSLContext security) {
        this.urls =
                Arrays.stream(urls.split(",")).map(url -> check(url.strip())).toList();
        Checks.require(key == null || isVisible(key), "the key must be visible ASCII characters");
        this.key = key;
        this.keyFile = keyFile;
        this.timeout = timeout;
        timers.setRemoveOnCancelPolicy(true);
        timers.setKeepAliveTime(10, TimeUnit.SECONDS);
        timers.allowCoreThreadTimeOut(true); // idle clients have no threads
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(new EnvironmentProxies())
                .executor(pool);
        http = (security == null ? builder : builder.sslContext(security)).build();
    }

    private static String check(String url) {
        URI uri = null;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            // The message would have the URL, and a URL may have a password.
        }
        boolean underscore = uri != null
                && uri.getHost() == null
                && String.valueOf(uri.getAuthority()).contains("_");
        Checks.require(
                !underscore, "Java's HTTP client does not accept host names with '_': use another name or an address");
        boolean valid = uri != null && uri.getHost() != null && uri.getScheme().matches("(?i)https?");
        valid = valid && uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
        Checks.require(
                valid, "a URL must begin with http:// or https:// and have a host, but no user, query or fragment");
        Checks.require(
                !uri.getPath().replaceAll("/+$", "").endsWith("/locks"),
                "a base URL must not end in /locks: write that of the service, such as http://localhost:8080");
        return url.replaceAll("/+$", "");
    }

    static String readKey(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static boolean isVisible(String key) {
        return key.matches("[!-~]+");
    }

    /** Returns the API key, or null. */
    String key() {
        return key;
    }

    /** Reads the key file again. Returns whether it has another key than the one that was used. */
    boolean renewKey(String used) {
        try {
            String read = keyFile == null ? "" : readKey(keyFile);
            if (!isVisible(read) || read.equals(used)) {
                return false;
            }
            key = read;
            return true;
        } catch (IOException e) {
            return false; // the answer stands
        }
    }

    /** Sends a request to a replica. */
    Call send(int url, String method, String target, String token) {
        return new Call(this, url, method, target, token);
    }

    /** Waits for the future. An interrupt shortens the wait to {@code timeout}, so that requests can still end. */
    void await(Future<?> future, long limit) {
        Moment start = Moment.now();
        boolean interrupted = false;
        for (boolean waiting = true; waiting; ) {
            waiting = false;
            try {
                future.get(Math.max(0, limit - start.age()), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                waiting = !interrupted;
                interrupted = true;
                limit = Math.min(limit, start.age() + timeout);
            } catch (ExecutionException | TimeoutException e) {
                // The task goes on in the background.
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns a random pause in ms. */
    static long backoff(int pauses) {
        return ThreadLocalRandom.current().nextLong(Math.min(1000, 100L << Math.min(pauses, 4)) + 1);
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
