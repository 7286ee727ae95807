package io.quorumlock.bench;

/** Asks for what the service knows without asking a master: what HTTP alone costs. */
final class HttpGet implements Dialogue {
    private final String request;
    private boolean answered;

    HttpGet(String path) {
        request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    }

    @Override
    public String first() {
        return request;
    }

    @Override
    public String next(HttpAnswer answer) {
        answered = answer.status() == 200;
        return null;
    }

    @Override
    public boolean succeeded() {
        return answered;
    }
}
