"""Start the studio in a thread and talk to it as a browser does."""

import http.client
import json
import socket
import threading
import time
from contextlib import contextmanager
from typing import NamedTuple

import uvicorn

from rosenblatt.studio.server import create_app


class Answer(NamedTuple):
    status: int
    headers: dict
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json["error"]


class Studio(NamedTuple):
    port: int

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, named, answer.read())
        finally:
            connection.close()

    def get(self, path, **headers):
        return self.ask("GET", path, headers=headers)

    def post(self, path, said):
        body = said if isinstance(said, (bytes, str)) else json.dumps(said)
        return self.ask("POST", path, body)

    def scene(self, data, *runs, **more):
        said = {"id": 1, "data": data, "runs": list(runs or [{"algorithm": "perceptron"}])}
        answer = self.post("/api/scene", said | more)
        assert answer.status == 200, answer.body
        return answer.json


@contextmanager
def serve_in_a_thread(opened=None):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    settings = uvicorn.Config(create_app(opened), log_level="error", ws="none")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield Studio(listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
