import json
from os import environ

# The service is on the loopback address, without TLS.
environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

from oauthlib.oauth2 import LegacyApplicationClient
from requests_oauthlib import OAuth2Session

session = OAuth2Session(client=LegacyApplicationClient("client"))
token = session.fetch_token(
    environ["TOKEN_ASSAY_URL"] + "/Token",
    username=environ["TOKEN_ASSAY_USER_NAME"],
    password=environ["TOKEN_ASSAY_PASSWORD"],
    client_secret="secret",
)
session.get(environ["TOKEN_ASSAY_RESOURCE_URL"]).raise_for_status()
print(json.dumps({"userName": token["userName"], "expiresAt": token[".expires"]}))
