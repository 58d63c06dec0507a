// A service of one file on HttpListener, written by hand in Katana's format: its members, their order and its dates, its errors,
// and what it reads, which is the body of any request as a form. Newtonsoft.Json writes the answers, as in Katana.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Text;
using System.Threading;
using System.Web;
using Newtonsoft.Json;

static class Program
{
    static readonly Dictionary<string, string> Accounts = new Dictionary<string, string>
    {
        ["alice"] = Environment.GetEnvironmentVariable("ALICE_PASSWORD"),
        ["Zoë Straße"] = Environment.GetEnvironmentVariable("ZOE_PASSWORD"),
    };

    static void Main()
    {
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:" + Environment.GetEnvironmentVariable("PORT") + "/");
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            ThreadPool.QueueUserWorkItem(_ => Answer(context.Request, context.Response));
        }
    }

    static void Answer(HttpListenerRequest request, HttpListenerResponse response)
    {
        if (request.Url.AbsolutePath.Equals("/Token", StringComparison.OrdinalIgnoreCase)) Token(request, response);
        else response.StatusCode = 404;
        response.Close();
    }

    static void Token(HttpListenerRequest request, HttpListenerResponse response)
    {
        var form = HttpUtility.ParseQueryString(new StreamReader(request.InputStream, Encoding.UTF8).ReadToEnd());
        var userName = form["username"] ?? "";
        string password;
        if (form["grant_type"] != "password")
        {
            Write(response, 400, new Dictionary<string, object> { ["error"] = "unsupported_grant_type" });
        }
        else if (!Accounts.TryGetValue(userName, out password) || password != form["password"])
        {
            Write(response, 400, new Dictionary<string, object>
            {
                ["error"] = "invalid_grant",
                ["error_description"] = "The user name or password is incorrect.",
            });
        }
        else Write(response, 200, Ticket(userName));
    }

    static Dictionary<string, object> Ticket(string userName)
    {
        var now = DateTimeOffset.UtcNow;
        // Katana keeps both dates as text, to the second.
        var issued = now.ToString("r", CultureInfo.InvariantCulture);
        var expires = now.AddDays(14).ToString("r", CultureInfo.InvariantCulture);
        return new Dictionary<string, object>
        {
            ["access_token"] = Guid.NewGuid().ToString("N"),
            ["token_type"] = "bearer",
            ["expires_in"] = (long)(DateTimeOffset.Parse(expires, CultureInfo.InvariantCulture) - now).TotalSeconds,
            ["userName"] = userName,
            [".issued"] = issued,
            [".expires"] = expires,
        };
    }

    static void Write(HttpListenerResponse response, int status, Dictionary<string, object> body)
    {
        var bytes = Encoding.UTF8.GetBytes(JsonConvert.SerializeObject(body));
        response.StatusCode = status;
        response.ContentType = "application/json;charset=UTF-8";
        response.Headers.Set("Cache-Control", "no-cache");
        response.ContentLength64 = bytes.Length;
        response.OutputStream.Write(bytes, 0, bytes.Length);
    }
}
