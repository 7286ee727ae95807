package io.quorumlock.bench;

/** Acquires a resource that nobody ever locked, and releases it. */
final class HttpCycle implements Dialogue {
    private static final String TOKEN = "\"token\":\"";

    private String resource;
    private boolean acquired;
    private boolean released;

    @Override
    public String first() {
        resource = Names.next();
        acquired = false;
        released = false;
        return acquire(resource, "ttlMs=1000");
    }

    @Override
    public String next(HttpAnswer answer) {
        if (acquired) {
            released = answer.status() == 204;
            return null;
        }
        acquired = answer.status() == 201;
        return acquired ? release(resource, token(answer)) : null;
    }

    static String acquire(String resource, String terms) {
        return "POST /locks/" + resource + "?" + terms + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    }

    static String release(String resource, String token) {
        return "DELETE /locks/" + resource + " HTTP/1.1\r\nHost: localhost\r\nLock-Token: " + token + "\r\n\r\n";
    }

    static String token(HttpAnswer lease) {
        int begin = lease.body().indexOf(TOKEN) + TOKEN.length();
        return lease.body().substring(begin, lease.body().indexOf('"', begin));
    }

    @Override
    public boolean succeeded() {
        return released;
    }
}
