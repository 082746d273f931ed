"""Calls operations with the generated client: reads a call and writes an answer, one on each line, as JSON."""

import datetime
import enum
import importlib
import inspect
import json
import pkgutil
import sys
import traceback
import typing

import loglane_client.api
from loglane_client import AuthenticatedClient


def same(name):
    """Names without their case and separators: the generator writes getUrl as get_url."""
    return name.replace("_", "").lower()


modules = {
    same(found.name.rpartition(".")[2]): found.name
    for found in pkgutil.walk_packages(loglane_client.api.__path__, "loglane_client.api.")
    if not found.ispkg
}


def typed(value, hint):
    """The value in the type that the generated function takes."""
    for kind in typing.get_args(hint) or (hint,):
        if not inspect.isclass(kind):
            continue
        if isinstance(value, dict) and hasattr(kind, "from_dict"):
            return kind.from_dict(value)
        if isinstance(value, str) and issubclass(kind, enum.Enum):
            return kind(value)
        if isinstance(value, str) and kind in (datetime.date, datetime.datetime):
            return kind.fromisoformat(value)
    return value


def call(url, asked):
    operation = importlib.import_module(modules[same(asked["id"])]).sync_detailed
    hints = typing.get_type_hints(operation)
    names = {same(name): name for name in hints}
    arguments = {names[same(name)]: value for name, value in {**asked["path"], **asked["query"]}.items()}
    if "body" in asked:
        arguments["body"] = asked["body"]
    client = AuthenticatedClient(base_url=url, token=asked["key"], raise_on_unexpected_status=True, timeout=60)
    answer = operation(client=client, **{name: typed(value, hints[name]) for name, value in arguments.items()})
    return {"status": answer.status_code, "raw": answer.content.decode(), "typed": answer.parsed.to_dict()}


for line in sys.stdin:
    try:
        result = call(sys.argv[1], json.loads(line))
    except Exception:
        result = {"error": traceback.format_exc()}
    print(json.dumps(result), flush=True)
