"""Fills in what real Jinja2 gives for conformance cases: reads a file of cases (one JSON object a line), renders each
with Jinja2, and writes the file anew with `expected`, or `error` and `line`. Needs `pip install jinja2==3.1.6`; run it
after a case was added: `python3 tests/conformance/expect.py tests/conformance/jinja/own_cases.jsonl`."""

import json
import sys
import traceback

from jinja2 import ChainableUndefined, DictLoader, Environment, StrictUndefined, Undefined
from jinja2 import TemplateSyntaxError, UndefinedError

DELIMITERS = dict(
    variable_start_string="[{",
    variable_end_string="}]",
    block_start_string="[%",
    block_end_string="%]",
    comment_start_string="[#",
    comment_end_string="#]",
)
UNDEFINED = {"lenient": Undefined, "strict": StrictUndefined, "chainable": ChainableUndefined}
ANSWERS = ("expected", "error", "line")


def kind_of(error):
    if isinstance(error, (TemplateSyntaxError, SyntaxError)):
        return "syntax"
    if isinstance(error, UndefinedError):
        return "undefined"
    return "type" if isinstance(error, TypeError) else "runtime"


def line_of(error):
    if isinstance(error, TemplateSyntaxError):
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith("<t")]
    return lines[-1] if lines and not isinstance(error, SyntaxError) else None


def answer(case):
    options = dict(case.get("options", {}))
    undefined = UNDEFINED[options.pop("undefined", "lenient")]
    loader = DictLoader(case.get("templates", {}))
    environment = Environment(**DELIMITERS, autoescape=False, undefined=undefined, loader=loader, **options)
    try:
        return {"expected": environment.from_string(case["template"]).render(**case["context"])}
    except Exception as error:  # whatever goes wrong is the answer
        line = line_of(error)
        return {"error": kind_of(error), **({} if line is None else {"line": line})}


def main(path):
    with open(path) as file:
        cases = [json.loads(line) for line in file if line.strip()]
    with open(path, "w") as file:
        for case in cases:
            question = {key: value for key, value in case.items() if key not in ANSWERS}
            file.write(json.dumps({**question, **answer(json.loads(json.dumps(question)))}, ensure_ascii=False) + "\n")


main(sys.argv[1])
