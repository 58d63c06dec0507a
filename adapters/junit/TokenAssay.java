import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * Every case of Token Assay as a dynamic test of JUnit 5. See docs/in-your-tests/junit.md.
 *
 * <p>What a case means is decided by the command: the last line of its ndjson report lists the tests. Here they are only handed to
 * JUnit. A stream without that line, or a command that ends otherwise than with a verdict, is a test that fails.
 */
public final class TokenAssay {
  private static final Set<Integer> VERDICTS = Set.of(0, 1, 3);

  private TokenAssay() {}

  /** For a `@TestFactory`: runs `token-assay run` with these arguments, and these variables beside those of this process. */
  public static List<DynamicTest> tests(Map<String, String> env, String... arguments)
      throws IOException, InterruptedException {
    Process run = start(env, List.of("run"), List.of(arguments), List.of("--quiet", "--reporter", "ndjson"));
    List<String> lines = reader(run).lines().toList();
    int code = run.waitFor();
    if (!VERDICTS.contains(code)) return List.of(failure("token-assay gave no verdict: exit code " + code));
    JsonNode footer = footerOf(lines);
    if (footer == null)
      return List.of(failure("the report has no last line: the run was killed, or its output was cut"));
    if (footer.path("tests").isEmpty()) return List.of(failure("the report has no tests"));
    List<DynamicTest> tests = new ArrayList<>();
    boolean isRed = false;
    for (JsonNode test : footer.path("tests")) {
      isRed |= test.path("status").asText().equals("failed");
      tests.add(dynamicTest(test.path("id").asText(), () -> check(test)));
    }
    if (code != 0 && !isRed) tests.add(failure("token-assay ended with exit code " + code));
    return tests;
  }

  /** Starts `token-assay serve` with these arguments on a free port. It ends with this process. @return its base URL */
  public static String referenceServer(Map<String, String> env, String... arguments) throws IOException {
    // Its standard input closes with this process, however that ends.
    List<String> serve = List.of("serve", "--port", "0", "--log-level", "error", "--end-with-stdin");
    Process server = start(env, serve, List.of(arguments));
    Runtime.getRuntime().addShutdownHook(new Thread(server::destroy));
    String url = reader(server).readLine();
    if (url == null) throw new IOException("token-assay serve ended without a base URL");
    return url;
  }

  private static void check(JsonNode test) {
    String status = test.path("status").asText();
    Assumptions.assumeFalse(status.equals("skipped"), test.path("message").asText());
    if (!status.equals("passed"))
      Assertions.fail(test.path("title").asText() + "\n" + test.path("text").asText());
  }

  private static DynamicTest failure(String text) {
    return dynamicTest("the run", () -> Assertions.fail(text));
  }

  private static JsonNode footerOf(List<String> lines) {
    if (lines.isEmpty()) return null;
    try {
      JsonNode footer = new ObjectMapper().readTree(lines.get(lines.size() - 1));
      return footer.path("type").asText().equals("footer") ? footer : null;
    } catch (IOException error) {
      return null;
    }
  }

  /** The command is `token-assay`, or the words of the variable TOKEN_ASSAY. */
  @SafeVarargs
  private static Process start(Map<String, String> env, List<String>... arguments) throws IOException {
    List<String> words =
        new ArrayList<>(List.of(System.getenv().getOrDefault("TOKEN_ASSAY", "token-assay").trim().split("\\s+")));
    for (List<String> some : arguments) words.addAll(some);
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(Redirect.INHERIT);
    builder.environment().putAll(env);
    return builder.start();
  }

  private static BufferedReader reader(Process process) {
    return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}
