"""The routes of the studio, and nothing heavy before it is asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rosenblatt.errors import RosenblattError
from rosenblatt.studio.files import file_answer
from rosenblatt.studio.guards import Guard, read_body
from rosenblatt.studio.problems import RequestError
from rosenblatt.studio.work import Workshop

if TYPE_CHECKING:
    from rosenblatt.lab.presets import PlaneSet
    from rosenblatt.workflows.scenes.deadline import Deadline

SCENE_SECONDS = 8.0
Answer = Callable[[Request], Awaitable[Response]]


def create_app(opened: PlaneSet | None = None) -> Any:
    """Return the studio as an ASGI app; `opened` is the data of `rosenblatt studio DATA`."""
    studio = _Studio(opened)
    routes = [
        Route("/", _answer(studio.page)),
        Route("/static/{name}", _answer(studio.file)),
        Route("/api/presets", _answer(studio.presets)),
        Route("/api/scene", _answer(studio.scene), methods=["POST"]),
    ]
    app = Starlette(
        routes=routes,
        lifespan=studio.lifespan,
        exception_handlers={404: _not_there, 405: _not_there},
    )
    return Guard(app)


class _Studio:
    """What the routes share."""

    def __init__(self, opened: PlaneSet | None) -> None:
        self.opened, self.workshop = opened, Workshop()

    @asynccontextmanager
    async def lifespan(self, app: Any) -> Any:
        yield
        self.workshop.close()

    async def page(self, request: Request) -> Response:
        return file_answer("index.html", request)

    async def file(self, request: Request) -> Response:
        return file_answer(request.path_params["name"], request)

    async def presets(self, request: Request) -> Response:
        def work(deadline: Deadline) -> bytes:
            from rosenblatt.studio.answers import presets_answer

            return _json(presets_answer(self.opened))

        return _bytes(await self.workshop.run(request, work, SCENE_SECONDS))

    async def scene(self, request: Request) -> Response:
        body = await read_body(request)

        def work(deadline: Deadline) -> bytes:
            from rosenblatt.studio.answers import scene_answer
            from rosenblatt.studio.checking import check_choices, check_data, parse
            from rosenblatt.workflows.scenes.scene import make_scene

            start = time.perf_counter()
            said = parse(body)
            data, choices = check_data(said.get("data")), check_choices(said.get("runs"))
            scene = make_scene(data, choices, deadline, quick=said.get("quick") is True)
            spent = 1000 * (time.perf_counter() - start)
            return _json(scene_answer(scene, said.get("id"), spent))

        return _bytes(await self.workshop.run(request, work, SCENE_SECONDS))


def _json(answer: Any) -> bytes:
    return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()


def _bytes(body: bytes) -> Response:
    return Response(body, media_type="application/json")


def _answer(route: Answer) -> Answer:
    """Turn what goes wrong into a sentence."""

    async def answer(request: Request) -> Response:
        try:
            return await route(request)
        except RequestError as problem:
            return JSONResponse({"error": str(problem)}, problem.status)
        except RosenblattError as problem:
            return JSONResponse({"error": " ".join(str(problem).split())}, 400)

    return answer


async def _not_there(request: Request, problem: Exception) -> Response:
    status = getattr(problem, "status_code", 404)
    return JSONResponse({"error": "There is no such page."}, status)
