// SPDX-License-Identifier: Apache-2.0
import io.quorumlock.client.QuorumlockClient;
import io.quorumlock.client.QuorumlockClient.LeaseLostException;
import io.quorumlock.client.QuorumlockClient.LockHeldException;
import io.quorumlock.client.QuorumlockClient.RefusedException;
import io.quorumlock.client.QuorumlockClient.UnavailableException;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs commands of the conformance suite: JSON lines on standard input, answers on standard output. */
public final class Driver {
    private static final PrintStream OUT =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private static QuorumlockClient client;

    public static void main(String[] args) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        QuorumlockClient.Lease lease = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            switch (text(line, "do")) {
                case "acquire" -> lease = acquire(line);
                case "held" -> say(
                        "{\"held\":" + (lease != null && lease.isHeld()) + ",\"slot\":" + slot(lease) + ",\"text\":"
                                + quote(String.valueOf(lease)) + "}");
                case "release" -> release(lease);
                default -> throw new IllegalArgumentException(line);
            }
        }
        try {
            if (lease != null) {
                lease.close();
            }
        } catch (LeaseLostException e) {
            // The loss was reported.
        }
    }

    private static void release(QuorumlockClient.Lease lease) {
        try {
            say("{\"released\":true,\"lost\":" + (lease == null || !lease.release()) + "}");
        } catch (RefusedException e) {
            say(refused(e));
        }
    }

    private static String refused(RefusedException e) {
        return "{\"error\":\"refused\",\"status\":" + e.status() + ",\"message\":" + quote(e.getMessage()) + "}";
    }

    private static QuorumlockClient.Lease acquire(String line) throws InterruptedException {
        try {
            if (client == null) {
                client = QuorumlockClient.builder().releaseOnShutdown(true).build();
            }
            QuorumlockClient.Options options = new QuorumlockClient.Options()
                    .ttl(Duration.ofMillis(number(line, "ttlMs", 30_000)))
                    .maxWait(Duration.ofMillis(number(line, "waitMs", 0)));
            if (text(line, "owner") != null) {
                options.owner(text(line, "owner"));
            }
            if (line.contains("\"marginMs\"")) {
                options.margin(Duration.ofMillis(number(line, "marginMs", 0)));
            }
            options.keep(Duration.ofMillis(number(line, "keepMs", 0)));
            if (line.contains("\"slots\"")) {
                options.slots((int) number(line, "slots", 0));
            }
            if (line.contains("\"shared\":true")) {
                options.shared();
            }
            List<String> names = names(line);
            QuorumlockClient.Lease lease =
                    names.isEmpty() ? client.acquire(text(line, "name"), options) : client.acquire(names, options);
            say("{\"lease\":true,\"fencingToken\":" + lease.fencingToken() + ",\"slot\":" + slot(lease) + "}");
            lease.onLost(lost -> say("{\"event\":\"lost\",\"reason\":" + quote(lost.reason()) + "}"));
            return lease;
        } catch (LockHeldException e) {
            String owner =
                    e.owner().map(label -> "\"owner\":" + quote(label) + ",").orElse("");
            say("{\"error\":\"held\",\"message\":" + quote(e.getMessage()) + "," + owner + "\"remainingMs\":"
                    + e.remaining().toMillis() + ",\"kept\":" + e.isKept() + ",\"names\":["
                    + e.names().stream().map(Driver::quote).collect(Collectors.joining(",")) + "]}");
        } catch (UnavailableException e) {
            say("{\"error\":\"unavailable\",\"message\":" + quote(e.getMessage()) + "}");
        } catch (RefusedException e) {
            say(refused(e));
        }
        return null;
    }

    /** Returns the slot of a semaphore, or {@code null} as in JSON. */
    private static String slot(QuorumlockClient.Lease lease) {
        return lease == null || lease.slot().isEmpty() ? "null" : Integer.toString(lease.slot().getAsInt());
    }

    private static synchronized void say(String line) {
        OUT.println(line);
    }

    private static long number(String line, String field, long otherwise) {
        Matcher found = Pattern.compile("\"" + field + "\"\\s*:\\s*(-?\\d+)").matcher(line);
        return found.find() ? Long.parseLong(found.group(1)) : otherwise;
    }

    /** Returns the list of names; empty if there is none. It must not contain escapes. */
    private static List<String> names(String line) {
        Matcher found = Pattern.compile("\"names\"\\s*:\\s*\\[\"([^\\]]*)\"]").matcher(line);
        return found.find() ? List.of(found.group(1).split("\",\"")) : List.of();
    }

    private static String text(String line, String field) {
        Matcher found = Pattern.compile("\"" + field + "\"\\s*:\\s*\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*)\"")
                .matcher(line);
        return !found.find()
                ? null
                : Pattern.compile("\\\\(u(....)|.)").matcher(found.group(1)).replaceAll(escape -> {
                    int control = "bfnrt".indexOf(escape.group(1));
                    String value = control >= 0 ? "\b\f\n\r\t".substring(control, control + 1) : escape.group(1);
                    return Matcher.quoteReplacement(
                            escape.group(2) == null ? value : "" + (char) Integer.parseInt(escape.group(2), 16));
                });
    }

    private static String quote(String text) {
        String escaped = text.replace("\\", "\\\\").replace("\"", "\\\"");
        return "\""
                + Pattern.compile("\\p{Cntrl}")
                        .matcher(escaped)
                        .replaceAll(
                                c -> String.format("\\\\u%04x", (int) c.group().charAt(0)))
                + "\"";
    }
}
