using System;
using System.Collections.Generic;
using System.Globalization;
using System.Net.Http;
using System.Net.Http.Headers;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

static class Program
{
    static void Main()
    {
        var client = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
        var form = new FormUrlEncodedContent(new Dictionary<string, string>
        {
            ["grant_type"] = "password",
            ["username"] = Environment.GetEnvironmentVariable("TOKEN_ASSAY_USER_NAME"),
            ["password"] = Environment.GetEnvironmentVariable("TOKEN_ASSAY_PASSWORD"),
        });
        var answer = client.PostAsync(Environment.GetEnvironmentVariable("TOKEN_ASSAY_URL") + "/Token", form).Result;
        answer.EnsureSuccessStatusCode();
        var token = JObject.Parse(answer.Content.ReadAsStringAsync().Result);
        var expires = DateTimeOffset.ParseExact((string)token[".expires"], "r", CultureInfo.InvariantCulture);
        client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", (string)token["access_token"]);
        var resource = client.GetAsync(Environment.GetEnvironmentVariable("TOKEN_ASSAY_RESOURCE_URL")).Result;
        resource.EnsureSuccessStatusCode();
        Console.WriteLine(JsonConvert.SerializeObject(new { userName = token["userName"], expiresAt = expires }));
    }
}
