package tokenassay

import (
	"os"
	"testing"
)

// A right service, which is the reference server here: put the base URL of your own in its place.
func TestContract(t *testing.T) {
	t.Setenv("TOKEN_ASSAY_PASSWORD", "Correct-horse-1")
	arguments := []string{"--user-name", "alice", "--hashing", "fast"}
	if wrong := os.Getenv("EXAMPLE_MUTANT"); wrong != "" {
		arguments = append(arguments, "--mutant", wrong)
	}
	Run(t, ReferenceServer(t, arguments...), "--user-name", "alice", "--effort", "quick")
}
