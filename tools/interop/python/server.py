"""
A token issuance service in Python, by the standard library alone, written from the specification. It has its own ways
where that is silent: how accounts are registered, how users sign in through a provider.
"""

import argparse
import os
import signal
import threading

from accounts import Accounts
from bugs import BUGS, plant
from http_service import listen
from policy import Policy
from provider import IdentityProvider
from service import Provider, Service

CALLBACK = "https://contoso.example/signed-in"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--user-id-port", type=int, help="the same service, configured to add userId")
    parser.add_argument("--provider-port", type=int, help="an outside identity provider")
    parser.add_argument("--account", action="append", default=[], metavar="NAME=VARIABLE",
                        help="a user, and the environment variable that holds the password")
    parser.add_argument("--link", action="append", default=[], metavar="USER=NAME",
                        help="a user of the provider, and the account")
    parser.add_argument("--bug", choices=BUGS, default="none")
    for setting, listed in vars(Policy()).items():
        flag = "--" + setting.replace("_", "-")
        if isinstance(listed, bool):
            parser.add_argument(flag, action=argparse.BooleanOptionalAction, default=listed)
        else:
            parser.add_argument(flag, type=int, default=listed)
    return parser.parse_args()


def main() -> None:
    given = arguments()
    plant(given.bug)
    accounts = Accounts()
    for name, variable in (text.split("=", 1) for text in given.account):
        accounts.add(name, f"{variable}@contoso.example", os.environ[variable])
    policy = Policy(**{setting: getattr(given, setting) for setting in vars(Policy())})
    linked = dict(text.split("=", 1) for text in given.link)
    exchange = f"http://127.0.0.1:{given.provider_port}/exchange"
    providers = {
        "acme": Provider(exchange, "contoso", CALLBACK),
        # At which nobody has registered a callback address.
        "no-callback": Provider(exchange, "contoso-unregistered", CALLBACK),
    }

    def routes(includes_user_id: bool):
        return Service(accounts, policy, includes_user_id, providers, linked).routes()

    servers = [listen(given.port, routes(False))]
    if given.user_id_port:
        servers.append(listen(given.user_id_port, routes(True)))
    if given.provider_port:
        servers.append(listen(given.provider_port, IdentityProvider({"contoso": CALLBACK}).routes()))
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    # Before any thread is started, which would else take the signal.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    main()
