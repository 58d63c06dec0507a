using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Linq;
using NUnit.Framework;

/// <summary>
/// Every case of Token Assay as a test of NUnit. See docs/in-your-tests/nunit.md.
/// What a case means is decided by the command: the last line of its ndjson report lists the tests. Here they are only handed to
/// NUnit. A stream without that line, or a command that ends otherwise than with a verdict, is a test that fails.
/// </summary>
public static class TokenAssay
{
    /// <summary>What the command says of one case.</summary>
    public sealed class Case
    {
        public string Id, Title, Status, Message, Text;
    }

    static readonly int[] Verdicts = { 0, 1, 3 };

    /// <summary>For a TestCaseSource: runs `token-assay run`, with these variables beside those of this process.</summary>
    public static IEnumerable<TestCaseData> Tests(IDictionary<string, string> env, params string[] arguments)
    {
        return CasesOf(env, arguments).Select(one => new TestCaseData(one).SetName(one.Id)).ToList();
    }

    /// <summary>For the test: passes, fails or ignores the case.</summary>
    public static void Check(Case one)
    {
        if (one.Status == "skipped") Assert.Ignore(one.Message);
        if (one.Status != "passed") Assert.Fail(one.Title + "\n" + one.Text);
    }

    /// <summary>Starts `token-assay serve` on a free port, which ends with this process, and returns its base URL.</summary>
    public static string ReferenceServer(IDictionary<string, string> env, params string[] arguments)
    {
        var server = Start(env, new[] { "serve", "--port", "0", "--log-level", "error" }.Concat(arguments));
        AppDomain.CurrentDomain.DomainUnload += (sender, e) => End(server);
        AppDomain.CurrentDomain.ProcessExit += (sender, e) => End(server);
        var url = server.StandardOutput.ReadLine();
        if (url == null) throw new IOException("token-assay serve ended without a base URL");
        return url;
    }

    static IList<Case> CasesOf(IDictionary<string, string> env, string[] arguments)
    {
        try
        {
            using (var run = Start(env, new[] { "run" }.Concat(arguments).Concat(new[] { "--quiet", "--reporter", "ndjson" })))
            {
                var stream = run.StandardOutput.ReadToEnd();
                run.WaitForExit();
                if (!Verdicts.Contains(run.ExitCode)) return Failure("token-assay gave no verdict: exit code " + run.ExitCode);
                var cases = Read(stream.TrimEnd('\n').Split('\n').Last());
                if (cases.Count == 0) return Failure("the report has no tests");
                if (run.ExitCode == 0 || cases.Any(one => one.Status == "failed")) return cases;
                return cases.Concat(Failure("token-assay ended with exit code " + run.ExitCode)).ToList();
            }
        }
        // NUnit takes a source that throws for one without tests.
        catch (Exception error)
        {
            return Failure("token-assay: the report has no last line, or could not be had: " + error.Message);
        }
    }

    static IList<Case> Read(string line)
    {
        using (var reader = JsonReaderWriterFactory.CreateJsonReader(Encoding.UTF8.GetBytes(line), XmlDictionaryReaderQuotas.Max))
        {
            var footer = XDocument.Load(reader).Root;
            if ((string)footer.Element("type") != "footer") throw new FormatException("its last line is no footer");
            return footer.Element("tests").Elements().Select(test => new Case
            {
                Id = (string)test.Element("id"),
                Title = (string)test.Element("title"),
                Status = (string)test.Element("status"),
                Message = (string)test.Element("message"),
                Text = (string)test.Element("text"),
            }).ToList();
        }
    }

    static IList<Case> Failure(string text)
    {
        return new[] { new Case { Id = "the run", Title = "the run has a verdict", Status = "failed", Text = text } };
    }

    /// The command is `token-assay`, or the words of the variable TOKEN_ASSAY.
    static Process Start(IDictionary<string, string> env, IEnumerable<string> arguments)
    {
        var command = Environment.GetEnvironmentVariable("TOKEN_ASSAY") ?? "token-assay";
        var words = command.Split(new[] { ' ' }, StringSplitOptions.RemoveEmptyEntries).Concat(arguments).ToList();
        var start = new ProcessStartInfo(words[0], string.Join(" ", words.Skip(1).Select(Quote)))
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            StandardOutputEncoding = Encoding.UTF8,
        };
        foreach (var variable in env) start.EnvironmentVariables[variable.Key] = variable.Value;
        return Process.Start(start);
    }

    /// One word of a command line, as .NET splits it.
    static string Quote(string word)
    {
        return "\"" + Regex.Replace(Regex.Replace(word, @"(\\*)""", "$1$1\\\""), @"(\\+)$", "$1$1") + "\"";
    }

    static void End(Process server)
    {
        try { server.Kill(); }
        catch (InvalidOperationException) { }
    }
}
