"""Prints what a bill of materials has that CycloneDX 1.5 or SPDX does not allow, and then exits with 1."""

import json
import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from license_expression import get_spdx_licensing


def components_in(part):
    for component in part.get("components", []):
        yield component
        yield from components_in(component)


def faults_in(text):
    for error in JsonStrictValidator(SchemaVersion.V1_5).validate_str(text, all_errors=True) or []:
        yield f"{error.data.json_path}: {error.data.message}"
    spdx = get_spdx_licensing()
    refs = set()
    for component in components_in(json.loads(text)):
        ref = component["bom-ref"]
        if ref in refs:
            yield f"{ref} is there twice"
        refs.add(ref)
        for choice in component.get("licenses", []):
            # `EUPL-1.1+` is an expression, too: that version or a later one. The library knows no such operator.
            for error in spdx.validate(choice.get("expression", "MIT").replace("+", "")).errors:
                yield f"{ref}: {error}"


faults = list(faults_in(sys.stdin.read()))
print("\n".join(faults))
sys.exit(1 if faults else 0)
