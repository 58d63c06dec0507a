"""An outside identity provider, as small as one can be: whoever asks for a code is believed to be the user it names."""

import secrets
import threading

from http_service import Form, Route

Answer = tuple[int, object]


class IdentityProvider:
    def __init__(self, callbacks: dict[str, str]) -> None:
        """The callback address that each client has registered."""
        self._callbacks = callbacks
        self._codes: dict[str, str] = {}
        self._lock = threading.Lock()

    def routes(self) -> dict[str, Route]:
        return {"/code": self.code, "/exchange": self.exchange}

    def code(self, form: Form | None) -> Answer:
        code = secrets.token_hex(8)
        with self._lock:
            self._codes[code] = dict(form or []).get("user", "")
        return 200, {"code": code}

    def exchange(self, form: Form | None) -> Answer:
        fields = dict(form or [])
        callback = self._callbacks.get(fields.get("client", ""))
        # Section 5, rule 3.
        if callback is None or callback != fields.get("callback"):
            return 401, {"error": "unknown_callback"}
        with self._lock:
            user = self._codes.pop(fields.get("code", ""), None)
        return (400, {"error": "unknown_code"}) if user is None else (200, {"user": user})
