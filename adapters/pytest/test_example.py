"""A right service, which is the reference server here: put the base URL of your own in its place."""

import os

pytest_plugins = ["pytest_token_assay"]
ALICE = {"TOKEN_ASSAY_PASSWORD": "Correct-horse-1"}


def test_contract(token_assay, reference_server):
    wrong = os.environ.get("EXAMPLE_MUTANT")
    url = reference_server("--user-name", "alice", "--hashing", "fast", *(["--mutant", wrong] if wrong else []), env=ALICE)
    token_assay(url, "--user-name", "alice", "--effort", "quick", env=ALICE)
