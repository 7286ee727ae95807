// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.embedded;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The members of a cluster, in the order of their ids, which begin with 1. */
public record ClusterMembers(List<Member> all) {
    private static final int LAST_PORT = 65_535;
    private static final Pattern MEMBER = Pattern.compile(
            "(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]+)(?::(?<client>\\d{1,5}):(?<peer>\\d{1,5}):(?<election>\\d{1,5}))?");

    /**
     * A member.
     *
     * @param client the port for the calls of all replicas
     * @param peer the port of the leader for the other members
     * @param election the port for elections
     */
    public record Member(String host, int client, int peer, int election) {
        List<Integer> ports() {
            return List.of(client, peer, election);
        }
    }

    /** Understands a list of {@code host} or {@code host:client-port:peer-port:election-port}; empty if it is none. */
    public static Optional<ClusterMembers> parse(String text) {
        List<Matcher> members = Stream.of(text.split(",", -1))
                .map(member -> MEMBER.matcher(member.strip()))
                .toList();
        if (!members.stream().allMatch(Matcher::matches)) {
            return Optional.empty();
        }
        List<Member> all = members.stream().map(ClusterMembers::member).toList();
        boolean arePorts =
                all.stream().flatMap(member -> member.ports().stream()).allMatch(port -> port > 0 && port <= LAST_PORT);
        return arePorts ? Optional.of(new ClusterMembers(all)) : Optional.empty();
    }

    private static Member member(Matcher found) {
        return new Member(
                found.group("host"),
                port(found, "client", 2181),
                port(found, "peer", 2888),
                port(found, "election", 3888));
    }

    private static int port(Matcher found, String name, int otherwise) {
        return Optional.ofNullable(found.group(name)).map(Integer::parseInt).orElse(otherwise);
    }

    /** Returns whether there are three or more, and not one more than tolerate as many failures. */
    public boolean isOdd() {
        return all.size() > 1 && all.size() % 2 == 1;
    }

    public boolean hasRepetition() {
        return all.stream().distinct().count() < all.size();
    }

    /**
     * Returns the id of the only member with this name; empty if there is none.
     *
     * @param name a host, with or without its domain, or a host and its port for clients
     */
    public Optional<Integer> idOf(String name) {
        List<Integer> ids = IntStream.rangeClosed(1, all.size())
                .filter(id -> isNamed(of(id), name))
                .boxed()
                .toList();
        return ids.size() == 1 ? Optional.of(ids.get(0)) : Optional.empty();
    }

    private static boolean isNamed(Member member, String name) {
        return member.host().equals(name)
                || member.host().startsWith(name + ".")
                || (member.host() + ":" + member.client()).equals(name);
    }

    Member of(int id) {
        return all.get(id - 1);
    }

    /** Returns the addresses for clients, as the client of ZooKeeper expects them. */
    public String addresses() {
        return all.stream().map(member -> member.host() + ":" + member.client()).collect(Collectors.joining(","));
    }

    boolean haveSeveralHosts() {
        return all.stream().map(Member::host).distinct().count() > 1;
    }

    /** Returns the list as it may be set. */
    String text() {
        return all.stream()
                .map(member -> member.host() + ":" + member.client() + ":" + member.peer() + ":" + member.election())
                .collect(Collectors.joining(","));
    }

    /** Returns whether this is the list as it was, up to one member. */
    boolean isOrReplacesOneOf(String before) {
        String[] old = before.split(",");
        String[] now = text().split(",");
        long kept = IntStream.range(0, Math.min(old.length, now.length))
                .filter(place -> old[place].equals(now[place]))
                .count();
        return old.length == now.length && kept >= now.length - 1;
    }
}
