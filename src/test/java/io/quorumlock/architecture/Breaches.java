package io.quorumlock.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** Compiles, for each wall, a class that nobody may write, only to show that the wall stands. */
final class Breaches {
    private Breaches() {}

    static void compile(Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", folder.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (Wall wall : Wall.values()) {
            Path source = folder.resolve(nameOf(wall) + ".java");
            Files.writeString(source, source(wall));
            arguments.add(source.toString());
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertEquals(0, status, "does not compile");
    }

    static String nameOf(Wall wall) {
        return "Breach_of_" + wall;
    }

    private static String source(Wall wall) {
        return "package io.quorumlock." + wall.room + ";\nfinal class " + nameOf(wall) + " { " + wall.breach + " }\n";
    }
}
