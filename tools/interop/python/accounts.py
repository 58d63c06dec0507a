"""The accounts of one process, in memory."""

import hashlib
import hmac
import os
import threading
import uuid
from dataclasses import dataclass

from policy import Policy, password_problems, user_name_problems


@dataclass(frozen=True)
class Account:
    user_name: str
    email: str
    user_id: str
    salt: bytes
    digest: bytes


def digest_of(password: str, salt: bytes) -> bytes:
    """Few iterations: the accounts live as long as a test."""
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, 500)


class Accounts:
    def __init__(self) -> None:
        self._by_name: dict[str, Account] = {}
        self._emails: set[str] = set()
        # Of two registrations at once the second one sees the first (8: e-mail addresses must be unique).
        self.lock = threading.Lock()

    def register(self, user_name: str, email: str, password: str, policy: Policy) -> list[str]:
        """Stores the account, unless there are problems: those are returned, and nothing is stored (8, rule 1)."""
        with self.lock:
            problems = password_problems(password, policy) + user_name_problems(user_name, policy)
            if user_name in self._by_name:
                problems.append("Somebody has this user name.")
            if policy.unique_email and email in self._emails:
                problems.append("Somebody has this e-mail address.")
            if not problems:
                self.add(user_name, email, password)
            return problems

    def add(self, user_name: str, email: str, password: str) -> None:
        salt = os.urandom(16)
        digest = digest_of(password, salt)
        self._by_name[user_name] = Account(user_name, email, str(uuid.uuid4()), salt, digest)
        self._emails.add(email)

    def named(self, user_name: str) -> Account | None:
        return self._by_name.get(user_name)

    def authenticate(self, user_name: str, password: str) -> Account | None:
        account = self.named(user_name)
        if account is None or not hmac.compare_digest(digest_of(password, account.salt), account.digest):
            return None
        return account
