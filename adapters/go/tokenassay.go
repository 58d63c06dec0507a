// Package tokenassay makes every case of Token Assay a subtest. See docs/in-your-tests/go.md.
//
// What a case means is decided by the command: the last line of its ndjson report lists the tests. Here they are only handed to
// testing. A stream without that line, or a command that ends otherwise than with a verdict, fails the test.
package tokenassay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

type outcome struct {
	ID, Title, Status, Message, Text string
}

// Run runs `token-assay run` with these arguments, with each case as a subtest.
func Run(t *testing.T, arguments ...string) {
	t.Helper()
	run := command(append(append([]string{"run"}, arguments...), "--quiet", "--reporter", "ndjson"))
	stream, err := run.Output()
	code := run.ProcessState.ExitCode()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || (code != 1 && code != 3)) {
		t.Fatalf("token-assay gave no verdict: %v", err)
	}
	lines := bytes.Split(bytes.TrimSpace(stream), []byte("\n"))
	var footer struct {
		Type  string
		Tests []outcome
	}
	if json.Unmarshal(lines[len(lines)-1], &footer) != nil || footer.Type != "footer" {
		t.Fatal("token-assay: the report has no last line: the run was killed, or its output was cut")
	}
	if len(footer.Tests) == 0 {
		t.Fatal("token-assay: the report has no tests")
	}
	for _, test := range footer.Tests {
		t.Run(test.ID, func(t *testing.T) {
			switch test.Status {
			case "passed":
			case "skipped":
				t.Skip(test.Message)
			default:
				t.Errorf("%s\n%s", test.Title, test.Text)
			}
		})
	}
	if code != 0 && !t.Failed() {
		t.Errorf("token-assay ended with exit code %d", code)
	}
}

// ReferenceServer starts `token-assay serve` with these arguments on a free port, and gives its base URL. It ends with the test.
func ReferenceServer(t *testing.T, arguments ...string) string {
	t.Helper()
	server := command(append([]string{"serve", "--port", "0", "--log-level", "error", "--end-with-stdin"}, arguments...))
	output, err := server.StdoutPipe()
	if err == nil {
		// It closes with this process, however that ends: after a time-out no cleanup runs.
		_, err = server.StdinPipe()
	}
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(os.Interrupt)
		server.Wait()
	})
	url, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatal("token-assay serve ended without a base URL")
	}
	return strings.TrimSpace(url)
}

// The command is `token-assay`, or the words of the variable TOKEN_ASSAY.
func command(arguments []string) *exec.Cmd {
	words := strings.Fields(os.Getenv("TOKEN_ASSAY"))
	if len(words) == 0 {
		words = []string{"token-assay"}
	}
	made := exec.Command(words[0], append(words[1:], arguments...)...)
	made.Stderr = os.Stderr
	return made
}
