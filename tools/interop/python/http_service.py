"""HTTP/1.1 with persistent connections, by the standard library."""

import json
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

Form = list[tuple[str, str]]
# Gets the request's body as a form, or None where it is none; gives status and JSON.
Route = Callable[[Form | None], tuple[int, object]]

JSON_TYPE = "application/json;charset=UTF-8"


class Server(ThreadingHTTPServer):
    # The default of 5 makes clients that connect at once wait a second for the next try.
    request_queue_size = 128


def read_form(content_type: str, body: bytes) -> Form | None:
    if content_type != "application/x-www-form-urlencoded":
        return None
    try:
        return parse_qsl(body.decode(), keep_blank_values=True, errors="strict")
    except ValueError:
        return []


def listen(port: int, routes: dict[str, Route]) -> Server:
    """Serves the routes by POST, each at its exact path."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body leave in one piece: in two, the second waits for the client's delayed acknowledgement.
        wbufsize = -1

        def handle_request(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            route = routes.get(urlsplit(self.path).path)
            if route is None:
                return self.answer(404, {"error": "not_found"})
            if self.command != "POST":
                return self.answer(405, {"error": "method_not_allowed"})
            # Lower case and without parameters; `text/plain` where there is none.
            self.answer(*route(read_form(self.headers.get_content_type(), body)))

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

        def answer(self, status: int, value: object) -> None:
            body = json.dumps(value, indent=1).encode()
            self.send_response(status)
            self.send_header("Content-Type", JSON_TYPE)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Server(("127.0.0.1", port), Handler)
