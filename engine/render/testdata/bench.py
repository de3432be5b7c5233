"""Times real Jinja2 on the templates of render_bench.ts. In: one JSON text on stdin, {templates: {name: text}, values: [JSON text, ...], batches}.

Out: one JSON text: microseconds of the fastest batch for each measure, and what the templates print for the first values.
"""
import json
import sys
import time

import jinja2

task = json.load(sys.stdin)
templates, values, batches = task["templates"], task["values"], task["batches"]


def environment():
    return jinja2.Environment(
        loader=jinja2.DictLoader(templates), keep_trailing_newline=False, autoescape=False,
        block_start_string="[%", block_end_string="%]", variable_start_string="[{", variable_end_string="}]",
        comment_start_string="[#", comment_end_string="#]",
    )


def render(env, text, names):
    context = json.loads(text)
    return [env.get_template(name).render(context) for name in names]


def fastest(action, turns):
    best = float("inf")
    for _ in range(batches):
        started = time.perf_counter()
        for _ in range(turns):
            action()
        best = min(best, (time.perf_counter() - started) / turns)
    return best * 1e6


def all_values(env, names):
    for text in values:
        render(env, text, names)


# The first template is the long one, the others are the set.
one, many = list(templates)[:1], list(templates)[1:]
# What is compiled is kept beyond an environment only by its own cache, so that a new one compiles anew.
warm = environment()
printed = render(warm, values[0], one + many)
print(json.dumps({
    "version": jinja2.__version__,
    "printed": printed,
    "one cold": fastest(lambda: render(environment(), values[0], one), 5),
    "one warm": fastest(lambda: render(warm, values[0], one), 20),
    "set cold": fastest(lambda: render(environment(), values[0], many), 3),
    "set warm": fastest(lambda: render(warm, values[0], many), 10),
    "many warm": fastest(lambda: all_values(warm, many), 1),
}))
