"""Authlib behind Flask, in memory, as its page "Flask OAuth 2.0 Server" sets it up: two functions for clients and tokens, the
password grant with its one method, and a route. Configured for the contract by its path and its lifetime. GRANTS and LIFETIME
are for rehearsals, in which it also refreshes tokens, and has an API that accepts them."""

import os
import time

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenValidator
from flask import Flask

ACCOUNTS = {"alice": os.environ["ALICE_PASSWORD"], "Zoë Straße": os.environ["ZOE_PASSWORD"]}
GRANTS = os.environ.get("GRANTS", "password").split()
LIFETIME = int(os.environ.get("LIFETIME", 14 * 24 * 60 * 60))
TOKENS = {}


class Client(ClientMixin):
    client_id = "client"

    def check_client_secret(self, client_secret):
        return client_secret == os.environ["CLIENT_SECRET"]

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_grant_type(self, grant_type):
        return grant_type in GRANTS

    def get_allowed_scope(self, scope):
        return ""


class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):
    def authenticate_user(self, username, password):
        return username if ACCOUNTS.get(username) == password else None


class Token(TokenMixin):
    """As the token of its page on SQLAlchemy, but in memory."""

    def __init__(self, answer, user):
        self.answer, self.user, self.issued_at, self.revoked = answer, user, time.time(), False

    def check_client(self, client):
        return True

    def get_scope(self):
        return ""

    def get_expires_in(self):
        return self.answer["expires_in"]

    def is_expired(self):
        return self.issued_at + self.answer["expires_in"] < time.time()

    def is_revoked(self):
        return self.revoked


class RefreshGrant(grants.RefreshTokenGrant):
    def authenticate_refresh_token(self, refresh_token):
        found = (token for token in TOKENS.values() if token.answer.get("refresh_token") == refresh_token)
        return next((token for token in found if not token.revoked), None)

    def authenticate_user(self, credential):
        return credential.user

    def revoke_old_credential(self, credential):
        credential.revoked = True


class TokenValidator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return TOKENS.get(token_string)


def save_token(token, request):
    TOKENS[token["access_token"]] = Token(token, request.user)


app = Flask(__name__)
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"password": LIFETIME}
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = "refresh_token" in GRANTS
server = AuthorizationServer()
server.init_app(app, query_client={"client": Client()}.get, save_token=save_token)
server.register_grant(PasswordGrant)
if "refresh_token" in GRANTS:
    server.register_grant(RefreshGrant)
require_oauth = ResourceProtector()
require_oauth.register_token_validator(TokenValidator())


@app.route("/Token", methods=["POST"])
def issue_token():
    return server.create_token_response()


@app.route("/me")
@require_oauth()
def show_user():
    return {"userName": current_token.user}


app.run("127.0.0.1", int(os.environ["PORT"]))
