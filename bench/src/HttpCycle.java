package io.quorumlock.bench;

/** Acquires a resource that nobody ever locked, and releases it. */
final class HttpCycle implements HttpLoop.Dialogue {
    private static final String TOKEN = "\"token\":\"";

    private String resource;
    private boolean acquired;
    private boolean released;

    @Override
    public String first() {
        resource = Names.next();
        acquired = false;
        released = false;
        return "POST /locks/" + resource + "?ttlMs=1000 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n";
    }

    @Override
    public String next(HttpAnswer answer) {
        if (acquired) {
            released = answer.status() == 204;
            return null;
        }
        acquired = answer.status() == 201;
        return acquired
                ? "DELETE /locks/" + resource + " HTTP/1.1\r\nHost: localhost\r\nLock-Token: " + token(answer.body())
                        + "\r\n\r\n"
                : null;
    }

    private static String token(String body) {
        int begin = body.indexOf(TOKEN) + TOKEN.length();
        return body.substring(begin, body.indexOf('"', begin));
    }

    @Override
    public boolean succeeded() {
        return released;
    }
}
