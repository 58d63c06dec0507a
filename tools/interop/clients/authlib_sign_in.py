import json
from os import environ

from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session("client", "secret")
token = session.fetch_token(
    environ["TOKEN_ASSAY_URL"] + "/Token",
    grant_type="password",
    username=environ["TOKEN_ASSAY_USER_NAME"],
    password=environ["TOKEN_ASSAY_PASSWORD"],
)
session.get(environ["TOKEN_ASSAY_RESOURCE_URL"]).raise_for_status()
print(json.dumps({"userName": token["userName"], "expiresAt": token[".expires"]}))
