using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;

/// <summary>A right service, which is the reference server here: put the base URL of your own in its place.</summary>
[TestFixture]
public class ExampleTest
{
    public static IEnumerable<TestCaseData> Cases
    {
        get
        {
            var env = new Dictionary<string, string> { { "TOKEN_ASSAY_PASSWORD", "Correct-horse-1" } };
            var wrong = Environment.GetEnvironmentVariable("EXAMPLE_MUTANT");
            var arguments = new[] { "--user-name", "alice", "--hashing", "fast" };
            if (wrong != null) arguments = arguments.Concat(new[] { "--mutant", wrong }).ToArray();
            var url = TokenAssay.ReferenceServer(env, arguments);
            return TokenAssay.Tests(env, url, "--user-name", "alice", "--effort", "quick");
        }
    }

    [TestCaseSource("Cases")]
    public void Contract(TokenAssay.Case one)
    {
        TokenAssay.Check(one);
    }
}
