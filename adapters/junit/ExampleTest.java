import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** A right service, which is the reference server here: put the base URL of your own in its place. */
class ExampleTest {
  @TestFactory
  List<DynamicTest> contract() throws Exception {
    Map<String, String> env = Map.of("TOKEN_ASSAY_PASSWORD", "Correct-horse-1");
    List<String> arguments = new ArrayList<>(List.of("--user-name", "alice", "--hashing", "fast"));
    String wrong = System.getenv("EXAMPLE_MUTANT");
    if (wrong != null) arguments.addAll(List.of("--mutant", wrong));
    String url = TokenAssay.referenceServer(env, arguments.toArray(String[]::new));
    return TokenAssay.tests(env, url, "--user-name", "alice", "--effort", "quick");
  }
}
