"""Renders the secure-namespace templates with Python's own Jinja2, the measure for our engine.

In: SecureNamespaces with the defaults of the CRD filled in, as JSON, one a line (such as `kubectl get sns -o json | jq -c '.items[]'`);
optional: a YAML file whose keys take the place of those in `settings`. Out: for each CR one line of JSON, {name, values, documents: {template: text}}
or {name, error}; documents has the `values:` and `status:` templates, too. Undefined names are errors here, so that a misspelled field is found.

    python tests/secure_namespace/render.py [SETTINGS.yaml] < crs.jsonl

Needs: pip install jinja2 pyyaml
"""
import json
import pathlib
import sys

import jinja2
import yaml

OPERATOR = pathlib.Path(__file__).parents[2] / "templates/secure-namespace/operator"


def fail(message):
    raise jinja2.TemplateRuntimeError(message)


def environment():
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader(OPERATOR),
        block_start_string="[%", block_end_string="%]",
        variable_start_string="[{", variable_end_string="}]",
        comment_start_string="[#", comment_end_string="#]",
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=False,
    )
    env.globals["fail"] = fail
    return env


def engine_values(cr, crd):
    """What the engine gives to every template; the time and revision are fixed."""
    meta = cr["metadata"]
    return {
        "apiVersion": cr["apiVersion"], "kind": cr["kind"], "metadata": meta, "spec": cr["spec"], "status": cr.get("status", {}),
        "name": meta["name"], "uid": meta.get("uid", ""), "labels": meta.get("labels", {}), # cluster-scoped: no "namespace"
        "annotations": meta.get("annotations", {}), "generation": meta.get("generation", 1),
        "revision": 1, "revision_timestamp": "2026-01-02T03:04:05Z", "crd": crd,
        "operator": {"namespace": "secure-namespace-system", "version": "1.0.0"},
        "watched": {}, "previous": {}, "shutdown": False,
    }


# What the status template sees: a round in which one object was applied, one not yet, and one failed.
RESULT = {
    "ready": False, "message": "Waiting for \"one\" & others",
    "objects": [{"kind": "Namespace", "name": "a", "applied": True}, {"kind": "ConfigMap", "name": "b", "applied": False}],
    "failed": [{"kind": "Role", "name": "c", "message": "it's <not> allowed"}],
}


def render(env, implementation, cr, settings):
    values = engine_values(cr, implementation["crd"])
    documents = {}
    for template in implementation["values"]:
        documents[template] = env.get_template(template).render(values)
        values.update(yaml.safe_load(documents[template]) or {})
        if "settings" in values:
            values["settings"].update(settings)
    for template in implementation["templates"]:
        documents[template] = env.get_template(template).render(values)
    documents[implementation["status"]] = env.get_template(implementation["status"]).render({**values, "result": RESULT})
    return {"name": values["name"], "values": values, "documents": documents}


def main():
    settings = yaml.safe_load(pathlib.Path(sys.argv[1]).read_text()) if len(sys.argv) > 1 else {}
    env = environment()
    implementation = yaml.safe_load((OPERATOR / "implementation.yaml").read_text())
    for line in filter(str.strip, sys.stdin):
        cr = json.loads(line)
        try:
            result = render(env, implementation, cr, settings)
        except jinja2.TemplateError as error:
            result = {"name": cr["metadata"]["name"], "error": str(error)}
        print(json.dumps(result))


if __name__ == "__main__":
    main()
