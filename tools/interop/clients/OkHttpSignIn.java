import okhttp3.FormBody;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.json.JSONObject;

class OkHttpSignIn {
  public static void main(String[] args) throws Exception {
    OkHttpClient client = new OkHttpClient();
    FormBody form = new FormBody.Builder()
        .add("grant_type", "password")
        .add("username", System.getenv("TOKEN_ASSAY_USER_NAME"))
        .add("password", System.getenv("TOKEN_ASSAY_PASSWORD"))
        .build();
    JSONObject token = new JSONObject(
        call(client, new Request.Builder().url(System.getenv("TOKEN_ASSAY_URL") + "/Token").post(form)));
    call(client, new Request.Builder()
        .url(System.getenv("TOKEN_ASSAY_RESOURCE_URL"))
        .header("Authorization", "Bearer " + token.getString("access_token")));
    System.out.println(new JSONObject()
        .put("userName", token.getString("userName"))
        .put("expiresAt", token.getString(".expires")));
    // Its threads would live on for a minute.
    System.exit(0);
  }

  private static String call(OkHttpClient client, Request.Builder request) throws Exception {
    try (var response = client.newCall(request.build()).execute()) {
      if (!response.isSuccessful()) throw new IllegalStateException("refused: " + response.code());
      return response.body().string();
    }
  }
}
