"""The token issuance service: section 4.1, registration under section 8, and sign-in through a provider (4.2)."""

import json
import secrets
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.utils import formatdate
from urllib.parse import urlencode

from accounts import Account, Accounts
from http_service import Form, Route
from policy import Policy

LIFETIME_S = 14 * 24 * 60 * 60

# Providers are asked directly, whatever proxy the environment names.
DIRECTLY = urllib.request.build_opener(urllib.request.ProxyHandler({}))

Answer = tuple[int, object]


@dataclass(frozen=True)
class Provider:
    """An outside identity provider, as it knows this service."""

    token_url: str
    client: str
    callback: str


@dataclass(frozen=True)
class Service:
    accounts: Accounts
    policy: Policy
    includes_user_id: bool
    providers: dict[str, Provider]
    # The user name of whoever is known to an outside provider.
    linked: dict[str, str]

    def routes(self) -> dict[str, Route]:
        return {"/Token": self.token, "/api/register": self.register, "/api/sign-in": self.sign_in}

    def token(self, form: Form | None) -> Answer:
        if form is None or not supports(values(form, "grant_type")):
            return 400, {"error": "unsupported_grant_type"}
        user_names, passwords = values(form, "username"), values(form, "password")
        if len(user_names) != 1 or len(passwords) != 1:
            return 400, {"error": "invalid_request"}
        account = self.accounts.authenticate(user_names[0], passwords[0])
        if account is None:
            return 400, {"error": "invalid_grant"}
        return 200, token_response(account, self.includes_user_id)

    def register(self, form: Form | None) -> Answer:
        fields = dict(form or [])
        user_name = fields.get("name", "")
        password = fields.get("secret", "")
        problems = self.accounts.register(user_name, fields.get("mail", ""), password, self.policy)
        if problems:
            return 422, {"problems": [{"text": text} for text in problems]}
        return 201, {"account": user_name}

    def sign_in(self, form: Form | None) -> Answer:
        fields = dict(form or [])
        provider = self.providers.get(fields.get("provider", ""))
        if provider is None:
            return 404, {"error": "unknown_provider"}
        status, user = user_of(provider, fields.get("code", ""))
        account = self.accounts.named(self.linked.get(user, ""))
        if account is None:
            return status if status == 401 else 403, {"error": "not_signed_in"}
        return 200, external_response(account, self.includes_user_id)


def values(form: Form, name: str) -> list[str]:
    return [value for key, value in form if key == name]


def supports(grant_types: list[str]) -> bool:
    return grant_types == ["password"]


def token_response(account: Account, includes_user_id: bool) -> dict[str, object]:
    """Section 2.1: `.issued` in whole seconds, so that the dates differ by the lifetime exactly."""
    issued = int(time.time())
    response = {
        "access_token": secrets.token_hex(32),
        "token_type": "bearer",
        "expires_in": LIFETIME_S - 1,
        "userName": account.user_name,
        ".issued": formatdate(issued, usegmt=True),
        ".expires": formatdate(issued + LIFETIME_S, usegmt=True),
    }
    return response | {"userId": account.user_id} if includes_user_id else response


def external_response(account: Account, includes_user_id: bool) -> dict[str, object]:
    """Section 2.1, rule 4: the same by either way."""
    return token_response(account, includes_user_id)


def user_of(provider: Provider, code: str) -> tuple[int, str]:
    """Exchanges the code at the provider: its status, and who it is."""
    fields = {"client": provider.client, "callback": provider.callback, "code": code}
    try:
        with DIRECTLY.open(provider.token_url, urlencode(fields).encode(), timeout=5) as answer:
            return answer.status, json.load(answer)["user"]
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, ""
