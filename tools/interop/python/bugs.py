"""Bugs by name: each puts a wrong thing in the place of a right one."""

import time
from contextlib import nullcontext
from unittest.mock import patch

import accounts
import policy
import service

right_digest = accounts.digest_of
right_init = accounts.Accounts.__init__
right_add = accounts.Accounts.add
right_response = service.token_response


def without_lock(self: accounts.Accounts) -> None:
    right_init(self)
    self.lock = nullcontext()


def slow_add(self: accounts.Accounts, *account: str) -> None:
    """As slow as a database, between the look and the storing."""
    time.sleep(0.02)
    right_add(self, *account)


def user_id_first(account: accounts.Account, includes_user_id: bool) -> dict[str, object]:
    response = right_response(account, includes_user_id)
    return ({"userId": account.user_id} if includes_user_id else {}) | response


BUGS = {
    "none": [],
    "passwords-cut-at-8": [
        (accounts, "digest_of", lambda password, salt: right_digest(password[:8], salt)),
    ],
    "underscore-is-a-letter": [
        (policy, "is_symbol", lambda char: char != "_" and not char.isalnum()),
    ],
    "no-full-stop": [
        (policy, "DIGIT_MESSAGE", policy.DIGIT_MESSAGE.removesuffix(".")),
    ],
    "email-race": [
        (accounts.Accounts, "__init__", without_lock),
        (accounts.Accounts, "add", slow_add),
    ],
    "user-id-first": [
        (service, "token_response", user_id_first),
    ],
    "external-without-user-id": [
        (service, "external_response", lambda account, _: right_response(account, False)),
    ],
    "trims-grant-type": [
        (service, "supports", lambda given: [text.strip() for text in given] == ["password"]),
    ],
}


def plant(name: str) -> None:
    for target, attribute, wrong in BUGS[name]:
        patch.object(target, attribute, wrong).start()
