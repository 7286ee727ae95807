// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.documentation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples of docs/fencing.md with tokens of the real service. */
@QuarkusTest
class FencingExampleTest {
    private static final Path DOCUMENT = Path.of("docs/fencing.md");

    @Test
    void tableWithFenceRejectsLateHolder() throws SQLException, IOException {
        List<String> statements = sql();
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:fencing");
                Statement statement = database.createStatement()) {
            statement.execute(statements.get(0));
            statement.execute("INSERT INTO account (id, balance) VALUES (1, 100)");
            long paused = lease("fenced/sql");
            long next = lease("fenced/sql");
            assertEquals(1, write(database, statements.get(1), 80, next));
            assertEquals(0, write(database, statements.get(1), 50, paused));
            assertEquals(1, write(database, statements.get(1), 70, next));
            assertEquals(70, balance(statement));
        }
    }

    /** A late holder that reads the version again before it writes passes the optimistic check. */
    @Test
    void versionAloneAcceptsLateHolder() throws SQLException, IOException {
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:optimistic");
                Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE account (id INT PRIMARY KEY, balance INT, version INT)");
            statement.execute("INSERT INTO account VALUES (1, 100, 0)");
            assertEquals(1, write(database, sql().get(2), 80, 1, 0));
            assertEquals(0, write(database, sql().get(2), 50, 1, 0));
            assertEquals(1, write(database, sql().get(2), 50, 1, 1));
        }
    }

    @Test
    void storeThatComparesHeadersRejectsLateHolder() throws IOException, InterruptedException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Store store = new Store();
        server.createContext("/reports/today", store::put);
        server.start();
        try {
            URI report = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/reports/today");
            long paused = lease("fenced/http");
            long next = lease("fenced/http");
            assertEquals(204, put(report, next));
            assertEquals(412, put(report, paused));
            assertEquals(204, put(report, next));
        } finally {
            server.stop(0);
        }
    }

    /** Acquires and releases the lock, and returns its fencing token. */
    private static long lease(String resource) {
        Response lease = RestAssured.post("/locks/" + resource);
        assertEquals(201, lease.statusCode());
        RestAssured.given().header("Lock-Token", lease.path("token").toString()).delete("/locks/" + resource);
        return lease.jsonPath().getLong("fencingToken");
    }

    private static List<String> sql() throws IOException {
        return Pattern.compile("```sql\n(.*?);?\n```", Pattern.DOTALL)
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    private static int write(Connection database, String update, int balance, long fence) throws SQLException {
        return write(database, update, balance, fence, 1, fence);
    }

    private static int write(Connection database, String update, Number... parameters) throws SQLException {
        try (PreparedStatement statement = database.prepareStatement(update)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    private static int balance(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery("SELECT balance FROM account")) {
            row.next();
            return row.getInt(1);
        }
    }

    private static int put(URI report, long fence) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(report)
                .header("Fencing-Token", Long.toString(fence))
                .PUT(BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.discarding())
                .statusCode();
    }

    private static final class Store {
        private long largest;

        private synchronized void put(HttpExchange request) throws IOException {
            long fence = Long.parseLong(request.getRequestHeaders().getFirst("Fencing-Token"));
            boolean late = fence < largest;
            largest = Math.max(largest, fence);
            request.sendResponseHeaders(late ? 412 : 204, -1);
            request.close();
        }
    }
}
