// SPDX-License-Identifier: Apache-2.0
package io.quorumlock.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** A compiler of one class per rule that violates it, to show that the rule detects this. */
final class Violations {
    private Violations() {}

    static void compile(Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-proc:none", "-nowarn", "-d", folder.toString()));
        arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
        for (LayerRule rule : LayerRule.values()) {
            arguments.add(write(folder, rule, rule.layer, rule.violation));
        }
        for (TestRule rule : TestRule.values()) {
            arguments.add(write(folder, rule, "testing", rule.violation));
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertEquals(0, status, "does not compile");
    }

    static String nameOf(Enum<?> rule) {
        return "Violation_of_" + rule;
    }

    private static String write(Path folder, Enum<?> rule, String layer, String violation) throws IOException {
        String source =
                "package io.quorumlock." + layer + ";\nfinal class " + nameOf(rule) + " { " + violation + " }\n";
        return Files.writeString(folder.resolve(nameOf(rule) + ".java"), source).toString();
    }
}
