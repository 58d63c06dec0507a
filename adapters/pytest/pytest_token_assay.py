"""Every case of Token Assay as a test of pytest. See docs/in-your-tests/pytest.md.

What a case means is decided by the command: the last line of its `ndjson` report lists the tests. Here they are only
handed to pytest. A stream without that line, or a command that ends otherwise than with a verdict, fails the test.
"""

import json
import os
import shlex
import subprocess
from contextlib import nullcontext

import pytest
from _pytest.reports import TestReport

VERDICTS = (0, 1, 3)


def command():
    """The command: `token-assay`, or the words of the variable TOKEN_ASSAY."""
    return shlex.split(os.environ.get("TOKEN_ASSAY", "token-assay"))


def tests_of(stream):
    """The tests that a stream lists in its last line. Raises ValueError where it was cut."""
    lines = stream.splitlines()
    footer = json.loads(lines[-1]) if lines else {}
    if footer.get("type") != "footer":
        raise ValueError("the report has no last line: the run was killed, or its output was cut")
    if not footer.get("tests"):
        raise ValueError("the report has no tests")
    return footer["tests"]


@pytest.fixture
def token_assay(request):
    """Runs `token-assay run ARGUMENTS…`, with each case as a test `this-test[ID]`."""

    def run(*arguments, env=None):
        ended = subprocess.run(
            [*command(), "run", *arguments, "--quiet", "--reporter", "ndjson"],
            stdout=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            encoding="utf-8",
        )
        if ended.returncode not in VERDICTS:
            pytest.fail(f"token-assay gave no verdict: exit code {ended.returncode}", pytrace=False)
        try:
            tests = tests_of(ended.stdout)
        except ValueError as error:
            pytest.fail(f"token-assay: {error}", pytrace=False)
        failed = [test for test in tests if test["status"] == "failed"]
        why = [f"{len(failed)} of {len(tests)} cases failed, exit code {ended.returncode}"]
        # A worker of pytest-xdist may report the tests alone that it was given.
        if hasattr(request.config, "workerinput"):
            why += [f"[{test['id']}] {_failure(test)}" for test in failed]
        else:
            # Else what the terminal shows of them would be taken for output of this test.
            capture = request.config.pluginmanager.getplugin("capturemanager")
            # There is none with `-p no:capture`.
            with capture.global_and_fixture_disabled() if capture else nullcontext():
                for test in tests:
                    _report(request.node, test)
        if failed or ended.returncode != 0:
            pytest.fail("\n\n".join(why), pytrace=False)

    return run


def _failure(test):
    return f"{test['title']}\n{test.get('text', '')}"


def _report(item, test):
    status = test["status"]
    shown = {
        "passed": None,
        "failed": _failure(test),
        "skipped": (str(item.path), 0, test.get("message", "")),
    }[status]
    nodeid = f"{item.nodeid}[{test['id']}]"
    report = TestReport(nodeid, item.location, {}, status, shown, "call")
    item.ihook.pytest_runtest_logstart(nodeid=nodeid, location=item.location)
    item.ihook.pytest_runtest_logreport(report=report)


@pytest.fixture
def reference_server():
    """Starts `token-assay serve ARGUMENTS…` on a free port, and gives its base URL. It ends with the test."""
    servers = []

    def serve(*arguments, env=None):
        server = subprocess.Popen(
            [*command(), "serve", "--port", "0", "--log-level", "error", "--end-with-stdin", *arguments],
            # It closes with this process, however that ends.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **(env or {})},
            encoding="utf-8",
        )
        servers.append(server)
        url = server.stdout.readline().strip()
        if not url:
            pytest.fail(f"token-assay serve ended with exit code {server.wait()}", pytrace=False)
        return url

    yield serve
    for server in servers:
        server.terminate()
        server.wait()
        server.stdin.close()
        server.stdout.close()
