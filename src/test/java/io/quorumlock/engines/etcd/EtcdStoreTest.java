// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.engines.etcd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlock.testing.Eventually;
import io.quorumlock.testing.MasterLog;
import io.quorumlock.testing.RealLoop;
import io.quorumlock.testing.RecordedReports;
import io.quorumlock.testing.SeededRandom;
import io.vertx.core.http.HttpClientOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EtcdStoreTest {
    /** They never answer. A refused connection would be replaced before its test closes it. */
    private final List<ServerSocket> sockets = Stream.of("127.0.0.1", "127.0.0.2", "127.0.0.3")
            .map(EtcdStoreTest::listen)
            .toList();

    private final List<String> members = sockets.stream()
            .map(socket -> socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort())
            .toList();
    private final RealLoop loop = new RealLoop();

    @AfterEach
    void close() throws IOException {
        loop.close();
        close(sockets);
    }

    private static void close(List<ServerSocket> sockets) throws IOException {
        for (ServerSocket socket : sockets) {
            socket.close();
        }
    }

    private static ServerSocket listen(String address) {
        try {
            return new ServerSocket(0, 0, InetAddress.getByName(address));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Otherwise the restart of one member would disconnect all replicas. */
    @Test
    void replicasBeginWithDifferentMembers() {
        Set<String> first = LongStream.range(0, 20).mapToObj(this::firstMember).collect(Collectors.toSet());
        assertEquals(Set.copyOf(members), first);
    }

    /** All refuse connections. */
    @Test
    void usesAllMembersInTurn() throws IOException {
        close(sockets);
        EtcdStore store = store(1);
        loop.engineContext.loop().execute(() -> store.watch(new RecordedReports()));
        Set<String> used = ConcurrentHashMap.newKeySet();
        Eventually.holds("all used", () -> {
            loop.engineContext
                    .loop()
                    .execute(() -> used.add(store.member.address().toString()));
            return used.equals(Set.copyOf(members));
        });
        RealLoop.await(store.close());
    }

    private String firstMember(long seed) {
        EtcdStore store = store(seed);
        CompletableFuture<String> address = new CompletableFuture<>();
        loop.engineContext.loop().execute(() -> {
            store.watch(new RecordedReports());
            address.complete(store.member.address().toString());
        });
        RealLoop.await(address.thenCompose(known -> store.close()));
        return address.join();
    }

    private EtcdStore store(long seed) {
        EtcdSettings settings = new EtcdSettings(
                members.stream()
                        .map(member -> MemberAddress.of("http://" + member))
                        .toList(),
                "/test",
                false,
                Duration.ofSeconds(10),
                Optional.empty(),
                new HttpClientOptions());
        return new EtcdStore(settings, loop.vertx, loop.choosing(new SeededRandom(seed).generator()), new MasterLog());
    }
}
