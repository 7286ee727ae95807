// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.ui;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlock.testing.Eventually;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A new tab, without data of earlier ones, in the headless Chromium of this JVM. It shows the operator's page. */
final class Browser implements AutoCloseable {
    private static final String HIDDEN =
            "Object.defineProperty(Document.prototype, 'hidden', {configurable: true, get: () => %s});";

    /** Started by the first test, because a start takes seconds. */
    private static ChromeDriver driver;

    private final URI service;
    private final List<String> console = new ArrayList<>();

    private Browser(URI service) {
        this.service = service;
    }

    /** Opens a tab, or skips the test if no browser is installed. No other one may be open. */
    static Browser open(URI service) {
        if (driver == null) {
            driver = start();
            Runtime.getRuntime().addShutdownHook(new Thread(driver::quit, "end-browser"));
        }
        return new Browser(service);
    }

    private static ChromeDriver start() {
        Optional<File> chromium = Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(Browser::onPath)
                .findFirst();
        Optional<File> chromedriver = onPath("chromedriver").findFirst();
        assumeTrue(chromium.isPresent() && chromedriver.isPresent(), "no Chromium with ChromeDriver is installed");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium.orElseThrow());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900");
        // It must not look for its vendor's servers.
        options.addArguments("--disable-background-networking", "--disable-component-update", "--disable-sync");
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        ChromeDriverService process = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver.orElseThrow())
                .usingAnyFreePort()
                .build();
        return new ChromeDriver(process, options);
    }

    private static Stream<File> onPath(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> new File(folder, name))
                .filter(File::canExecute);
    }

    /** Opens an address of the service, again if a network of the machine came or went: a browser then ends all requests. */
    Browser go(String path) {
        int before;
        do {
            before = console().size();
            // From another document, so that a changed fragment loads the page again.
            driver.get("about:blank");
            driver.get(service.resolve(path).toString());
        } while (console().stream().skip(before).anyMatch(line -> line.contains("ERR_NETWORK_CHANGED")));
        return this;
    }

    /** Waits until the text is visible somewhere in the page. */
    Browser shows(String text) {
        return showsIn("body", text);
    }

    Browser showsIn(String selector, String text) {
        Eventually.holds(() -> text + " in: " + text(selector) + ", on: " + state(), () -> text(selector)
                .contains(text));
        return this;
    }

    Browser showsNoMoreIn(String selector, String text) {
        Eventually.holds(() -> text + " still in: " + text(selector) + ", on: " + state(), () -> !text(selector)
                .contains(text));
        return this;
    }

    /** Waits until JavaScript returns true. */
    Browser awaits(String condition) {
        Eventually.holds(
                () -> condition + " in: " + state(),
                () -> Boolean.TRUE.equals(script("return Boolean(" + condition + ")")));
        return this;
    }

    /** Returns the rendered text of the first match, or an empty text. */
    String text(String selector) {
        return String.valueOf(script(
                "const found = document.querySelector(arguments[0]); return found ? found.innerText : '';", selector));
    }

    Browser click(String selector) {
        return acting(() -> driver.findElement(By.cssSelector(selector)).click());
    }

    Browser type(String selector, String text) {
        return acting(() -> driver.findElement(By.cssSelector(selector)).sendKeys(text));
    }

    /** Runs a script in each document that is opened from now on, before its own scripts. */
    Browser before(String script) {
        driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
        return this;
    }

    /** Makes documents that are opened from now on believe that their tab is in the background. */
    Browser inBackground() {
        return before(HIDDEN.formatted(true));
    }

    /** Makes the page believe that its tab went to the background. Windows of a headless browser are always visible. */
    Browser hide() {
        return visibility(true);
    }

    Browser unhide() {
        return visibility(false);
    }

    private Browser visibility(boolean hidden) {
        script(HIDDEN.formatted(hidden) + "document.dispatchEvent(new Event('visibilitychange'))");
        return this;
    }

    /** Waits until the timers of the page that are due within this time have run. */
    Browser afterTimersOf(int millis) {
        driver.manage().timeouts().scriptTimeout(Eventually.LONGEST);
        driver.executeAsyncScript("setTimeout(arguments[1], arguments[0])", millis);
        return this;
    }

    /** Returns how many requests the page sent to paths that match the expression. */
    long requests(String expression) {
        return (Long) script(
                "return performance.getEntriesByType('resource').filter(e => new RegExp(arguments[0]).test(new URL(e.name).pathname)).length",
                expression);
    }

    /** Sends keys to the focused element. */
    Browser press(CharSequence keys) {
        driver.switchTo().activeElement().sendKeys(keys);
        return this;
    }

    private Browser acting(Runnable action) {
        Eventually.holds(() -> "no such element in: " + state(), () -> {
            try {
                action.run();
                return true;
            } catch (WebDriverException notYet) {
                return false;
            }
        });
        return this;
    }

    Object script(String script, Object... arguments) {
        return ((JavascriptExecutor) driver).executeScript(script, arguments);
    }

    /** Opens another tab and returns the handle of the current one. */
    String newTab() {
        String current = driver.getWindowHandle();
        driver.switchTo().newWindow(WindowType.TAB);
        return current;
    }

    Browser switchTo(String tab) {
        driver.switchTo().window(tab);
        return this;
    }

    /** Closes the current tab and shows the remaining one. */
    Browser closeTab() {
        driver.close();
        return switchTo(driver.getWindowHandles().iterator().next());
    }

    /** Sets the colour scheme and the width of the window. */
    void emulate(String scheme, int width) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 800, "deviceScaleFactor", 1, "mobile", width < 700));
    }

    /** Returns the violations of the rules of axe-core, each with the first element. */
    List<?> accessibilityViolations() {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            script(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (List<?>)
                driver.executeAsyncScript(
                        """
                const done = arguments[0];
                axe.run().then(
                  found => done(found.violations.map(rule => `${rule.id}: ${rule.nodes[0].failureSummary} ${rule.nodes[0].html}`)),
                  error => done([String(error)]));
                """);
    }

    private String state() {
        return text("body") + ", console: " + console();
    }

    /** Returns all messages of the console. The driver returns each only once. */
    private List<String> console() {
        driver.manage().logs().get(LogType.BROWSER).getAll().forEach(entry -> console.add(entry.toString()));
        return console;
    }

    /** Returns messages of the console that report errors of scripts or of the content security policy. */
    List<String> errors() {
        return console().stream()
                .filter(line -> line.contains("Uncaught") || line.contains("Content Security Policy"))
                .toList();
    }

    /** Closes all tabs but a new one, and deletes what they stored. */
    @Override
    public void close() {
        Set<String> used = driver.getWindowHandles();
        String fresh = driver.switchTo().newWindow(WindowType.TAB).getWindowHandle();
        used.forEach(tab -> driver.switchTo().window(tab).close());
        driver.switchTo().window(fresh);
        driver.executeCdpCommand(
                "Storage.clearDataForOrigin",
                Map.of("origin", service.resolve("/").toString(), "storageTypes", "all"));
        driver.executeCdpCommand("Network.clearBrowserCache", Map.of());
        driver.manage().logs().get(LogType.BROWSER);
    }
}
