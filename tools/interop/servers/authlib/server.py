"""Authlib behind Flask, in memory, as its page "Flask OAuth 2.0 Server" sets it up: two functions for clients and tokens, the
password grant with its one method, and a route. Configured for the contract by its path and its lifetime."""

import os

from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import ClientMixin, grants
from flask import Flask

ACCOUNTS = {"alice": os.environ["ALICE_PASSWORD"], "Zoë Straße": os.environ["ZOE_PASSWORD"]}
TOKENS = {}


class Client(ClientMixin):
    client_id = "client"

    def check_client_secret(self, client_secret):
        return client_secret == os.environ["CLIENT_SECRET"]

    def check_endpoint_auth_method(self, method, endpoint):
        return method == "client_secret_basic"

    def check_grant_type(self, grant_type):
        return grant_type == "password"

    def get_allowed_scope(self, scope):
        return ""


class PasswordGrant(grants.ResourceOwnerPasswordCredentialsGrant):
    def authenticate_user(self, username, password):
        return username if ACCOUNTS.get(username) == password else None


def save_token(token, request):
    TOKENS[token["access_token"]] = request.user


app = Flask(__name__)
app.config["OAUTH2_TOKEN_EXPIRES_IN"] = {"password": 14 * 24 * 60 * 60}
server = AuthorizationServer()
server.init_app(app, query_client={"client": Client()}.get, save_token=save_token)
server.register_grant(PasswordGrant)


@app.route("/Token", methods=["POST"])
def issue_token():
    return server.create_token_response()


app.run("127.0.0.1", int(os.environ["PORT"]))
