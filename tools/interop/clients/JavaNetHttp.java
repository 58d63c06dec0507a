import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

class JavaNetHttp {
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Token(
      @JsonProperty("access_token") String accessToken,
      @JsonProperty("userName") String userName,
      @JsonProperty(".expires") String expires) {}

  public static void main(String[] args) throws Exception {
    var client = HttpClient.newHttpClient();
    var mapper = new ObjectMapper();
    var form = "grant_type=password&username=" + encoded("TOKEN_ASSAY_USER_NAME")
        + "&password=" + encoded("TOKEN_ASSAY_PASSWORD");
    var request = HttpRequest.newBuilder(URI.create(System.getenv("TOKEN_ASSAY_URL") + "/Token"))
        .timeout(Duration.ofSeconds(10))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(HttpRequest.BodyPublishers.ofString(form));
    var answer = client.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new IllegalStateException("refused: " + answer.statusCode());
    var token = mapper.readValue(answer.body(), Token.class);
    var use = HttpRequest.newBuilder(URI.create(System.getenv("TOKEN_ASSAY_RESOURCE_URL")))
        .header("Authorization", "Bearer " + token.accessToken());
    if (client.send(use.build(), BodyHandlers.discarding()).statusCode() != 200)
      throw new IllegalStateException("the token is refused");
    System.out.println(
        mapper.writeValueAsString(Map.of("userName", token.userName(), "expiresAt", token.expires())));
  }

  private static String encoded(String variable) {
    return URLEncoder.encode(System.getenv(variable), StandardCharsets.UTF_8);
  }
}
