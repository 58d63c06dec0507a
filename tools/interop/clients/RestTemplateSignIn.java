import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.RequestEntity;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.client.RestTemplate;

class RestTemplateSignIn {
  public static void main(String[] args) {
    var template = new RestTemplate();
    var form = new LinkedMultiValueMap<String, String>();
    form.add("grant_type", "password");
    form.add("username", System.getenv("TOKEN_ASSAY_USER_NAME"));
    form.add("password", System.getenv("TOKEN_ASSAY_PASSWORD"));
    // Of a text it would escape the escapes.
    var url = URI.create(System.getenv("TOKEN_ASSAY_URL") + "/Token");
    var token = template.postForObject(url, form, JsonNode.class);
    var resource = RequestEntity.get(URI.create(System.getenv("TOKEN_ASSAY_RESOURCE_URL")))
        .header(HttpHeaders.AUTHORIZATION, "Bearer " + token.get("access_token").asText())
        .build();
    template.exchange(resource, Void.class);
    var report = JsonNodeFactory.instance.objectNode();
    report.set("userName", token.get("userName"));
    report.set("expiresAt", token.get(".expires"));
    System.out.println(report);
  }
}
