// Spring MVC on Jetty, both from Debian, in one file: a controller written for the contract by hand, in the usual way. It has the
// form by `@RequestParam`, as the token endpoint of Spring Security OAuth has it, and answers by Jackson.
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.springframework.beans.MutablePropertyValues;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.json.MappingJackson2HttpMessageConverter;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

class Main {
  public static void main(String[] args) throws Exception {
    // What @EnableWebMvc brings, by hand: Debian's Spring makes no proxy of a configuration class under this Java.
    var converters = List.of(new MappingJackson2HttpMessageConverter());
    var context = new StaticWebApplicationContext();
    context.registerSingleton("controller", TokenController.class);
    context.registerSingleton("mapping", RequestMappingHandlerMapping.class);
    context.registerSingleton(
        "adapter",
        RequestMappingHandlerAdapter.class,
        new MutablePropertyValues(Map.of("messageConverters", converters)));
    var servlets = new ServletContextHandler();
    servlets.addServlet(new ServletHolder(new DispatcherServlet(context)), "/");
    var server = new Server();
    var connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    connector.setPort(Integer.parseInt(System.getenv("PORT")));
    server.addConnector(connector);
    server.setHandler(servlets);
    server.start();
    server.join();
  }
}

@RestController
class TokenController {
  private static final int LIFETIME = 14 * 24 * 60 * 60;
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);
  private final Map<String, String> accounts =
      Map.of("alice", System.getenv("ALICE_PASSWORD"), "Zoë Straße", System.getenv("ZOE_PASSWORD"));
  private final Map<String, String> tokens = new ConcurrentHashMap<>();

  @PostMapping("/Token")
  ResponseEntity<Map<String, Object>> token(@RequestParam Map<String, String> form) {
    if (!"password".equals(form.get("grant_type"))) return error("unsupported_grant_type");
    var userName = form.getOrDefault("username", "");
    if (!isRight(accounts.get(userName), form.getOrDefault("password", ""))) return error("invalid_grant");
    var token = UUID.randomUUID().toString();
    tokens.put(token, userName);
    var issued = ZonedDateTime.now(ZoneOffset.UTC);
    var answer = new LinkedHashMap<String, Object>();
    answer.put("access_token", token);
    answer.put("token_type", "bearer");
    answer.put("expires_in", LIFETIME);
    answer.put("userName", userName);
    answer.put(".issued", HTTP_DATE.format(issued));
    answer.put(".expires", HTTP_DATE.format(issued.plusSeconds(LIFETIME)));
    return ResponseEntity.ok(answer);
  }

  @GetMapping("/me")
  ResponseEntity<Map<String, String>> me(@RequestHeader("Authorization") String authorization) {
    var userName = tokens.get(authorization.replaceFirst("^Bearer ", ""));
    if (userName == null) return new ResponseEntity<>(HttpStatus.UNAUTHORIZED);
    return ResponseEntity.ok(Map.of("userName", userName));
  }

  private static boolean isRight(String expected, String password) {
    return expected != null
        && MessageDigest.isEqual(
            expected.getBytes(StandardCharsets.UTF_8), password.getBytes(StandardCharsets.UTF_8));
  }

  private static ResponseEntity<Map<String, Object>> error(String name) {
    return ResponseEntity.badRequest().body(Map.of("error", name));
  }
}
