"""The hand-written stub `_core.pyi` says what the compiled module does.

stubtest compares names, kinds and defaults but cannot see the arguments of compiled functions, so a
renamed or reordered argument is caught by comparing the stub with the signatures that pybind11
writes into the docstrings.
"""

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import mineodds
from mineodds import _core

PACKAGE = Path(mineodds.__file__).parent

# The names (and "*" and "/") in the "name: type = default, ..." of a docstring's first line.
ARGUMENT = re.compile(r"(?:^|, )(\*{0,2}\w+|\*|/)(?=:|,|$)")


def documented_arguments(function: object, name: str) -> list[str] | None:
    """The argument names in a pybind11 docstring; None when it documents no single signature."""
    documentation = inspect.getdoc(function) or ""
    first_line = documentation.partition("\n")[0]
    if not first_line.startswith(f"{name}(") or "Overloaded function" in documentation:
        return None
    inside = first_line[len(name) + 1 : first_line.rindex(")")]
    # Commas inside brackets belong to a type.
    while (shorter := re.sub(r"\[[^\[\]]*\]|\([^()]*\)", "", inside)) != inside:
        inside = shorter
    return ARGUMENT.findall(inside)


def stubbed_arguments(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    names = [argument.arg for argument in arguments.posonlyargs]
    names += ["/"] if names else []
    names += [argument.arg for argument in arguments.args]
    if arguments.vararg:
        names.append("*" + arguments.vararg.arg)
    elif arguments.kwonlyargs:
        names.append("*")
    names += [argument.arg for argument in arguments.kwonlyargs]
    names += ["**" + arguments.kwarg.arg] if arguments.kwarg else []
    return names


def stubbed_functions() -> Iterator[tuple[str, ast.FunctionDef, object]]:
    """Every function and method of the stub, with its compiled counterpart."""
    stub = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node, getattr(_core, node.name)
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                is_property = isinstance(method, ast.FunctionDef) and method.decorator_list
                if isinstance(method, ast.FunctionDef) and not is_property:
                    compiled = getattr(getattr(_core, node.name), method.name)
                    yield f"{node.name}.{method.name}", method, compiled


def test_stub_agrees_with_the_compiled_module() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "mineodds._core"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout + run.stderr


def test_stub_names_the_arguments_of_the_compiled_functions() -> None:
    for name, stub, compiled in stubbed_functions():
        documented = documented_arguments(compiled, stub.name)
        assert documented in (None, stubbed_arguments(stub)), name


def test_the_package_says_that_it_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()


def test_the_version_stands_in_one_place() -> None:
    """pyproject.toml; the compiled module, the metadata and the changelog agree with it."""
    root = Path(__file__).parents[1]
    pyproject = (root / "pyproject.toml").read_text(encoding="utf-8")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+?)"', pyproject, re.MULTILINE)
    newest = re.search(r"^## (\S+)", changelog, re.MULTILINE)
    assert version is not None
    assert newest is not None
    assert mineodds.__version__ == version[1]
    assert metadata.version("mineodds") == version[1]
    assert newest[1] == version[1]
