using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Headers;
using Newtonsoft.Json;

class Token
{
    [JsonProperty("access_token")]
    public string AccessToken { get; set; }

    [JsonProperty("userName")]
    public string UserName { get; set; }

    [JsonProperty(".expires")]
    public DateTime Expires { get; set; }
}

static class Program
{
    static void Main()
    {
        var client = new HttpClient();
        var form = new FormUrlEncodedContent(new Dictionary<string, string>
        {
            ["grant_type"] = "password",
            ["username"] = Environment.GetEnvironmentVariable("TOKEN_ASSAY_USER_NAME"),
            ["password"] = Environment.GetEnvironmentVariable("TOKEN_ASSAY_PASSWORD"),
        });
        var answer = client.PostAsync(Environment.GetEnvironmentVariable("TOKEN_ASSAY_URL") + "/Token", form).Result;
        answer.EnsureSuccessStatusCode();
        var token = JsonConvert.DeserializeObject<Token>(answer.Content.ReadAsStringAsync().Result);
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token.AccessToken);
        var resource = client.GetAsync(Environment.GetEnvironmentVariable("TOKEN_ASSAY_RESOURCE_URL")).Result;
        resource.EnsureSuccessStatusCode();
        Console.WriteLine(JsonConvert.SerializeObject(new { userName = token.UserName, expiresAt = token.Expires }));
    }
}
