package io.quorumlock.architecture;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.quorumlock.lock.Lease;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds the walls of the house: which room may know what. */
class ArchitectureTest {
    private static final int MOST_LINES = 300;
    private static final Path HOUSE = house();
    private static final JavaClasses CLASSES = new ClassFileImporter().importPath(HOUSE);

    private static JavaClasses broken;

    @BeforeAll
    static void breakThrough(@TempDir Path folder) throws IOException {
        Breaches.compile(folder);
        broken = new ClassFileImporter().importPaths(HOUSE, folder);
    }

    /** Without it every wall would hold in an empty house. */
    @Test
    void everyRoomWasImported() {
        for (String room : Wall.ROOMS) {
            assertTrue(CLASSES.containPackage("io.quorumlock." + room), () -> "nothing imported of " + room);
        }
    }

    @Test
    void thereIsNoOtherRoom() {
        CLASSES.forEach(type -> assertTrue(
                Wall.ROOMS.contains(type.getPackageName().replace("io.quorumlock.", "")),
                () -> type + " is in no room"));
    }

    @ParameterizedTest
    @EnumSource
    void theWallHolds(Wall wall) {
        wall.rule.check(CLASSES);
    }

    /** A rule that cannot fail is no wall. */
    @ParameterizedTest
    @EnumSource
    void theWallWouldStopABreach(Wall wall) {
        ArchRule rule = wall.rule;
        AssertionError stopped = assertThrows(AssertionError.class, () -> rule.check(broken));
        assertTrue(stopped.getMessage().contains(Breaches.nameOf(wall)), stopped::getMessage);
    }

    /** One noun per file: what is longer holds two. */
    @Test
    void noFileIsLong() throws IOException {
        for (String root : List.of("src", "bench")) {
            try (Stream<Path> files = Files.walk(Path.of(root))) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    int lines = Files.readAllLines(file).size();
                    assertTrue(lines <= MOST_LINES, () -> file + " has " + lines + " lines");
                }
            }
        }
    }

    private static Path house() {
        try {
            return Path.of(Lease.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
