"""The folder order is the dependency order.

A C++ file includes only from its own folder or from one that stands before it; a Python module
imports only from its own layer or from one below. An order that is written down but not tested
erodes, so these tests read every `#include` and every `import` (ARCHITECTURE.md describes the
layers). A new folder or module fails until it is given its place here.
"""

import ast
import graphlib
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CPP = ROOT / "cpp"
PYTHON = ROOT / "python" / "mineodds"

CORE_FOLDERS = [
    "words",
    "coefficients",
    "problem",
    "elimination",
    "enumeration",
    "position",
    "play",
    "approximation",
]
# What stands on the core: nothing includes from these but the folder itself.
TOP_FOLDERS = ["bindings", "tests", "bench"]

# From the bottom up.
PYTHON_LAYERS = [
    {"_core", "interrupts"},
    {"errors"},
    {"contracts"},
    {"formats", "priors", "text", "topology"},
    {"topologies"},
    {"cell_arrays", "knowledge"},
    {"declared"},
    {"board"},
    {"frontier", "polynomials", "weighting"},
    {"modular"},
    {"clash", "engine"},
    {"refusals"},
    {"inference", "parts"},
    {"counting"},
    {"outside"},
    {"questions"},
    {"cell_weights"},
    {"weighted_counting"},
    {"estimates"},
    {"gibbs", "belief_propagation"},
    {"approximate"},
    {"weighted"},
    {"conditions", "proof", "sampling"},
    {"weighted_odds"},
    {"whole"},
    {"asking"},
    {"odds", "batch", "display", "documents"},
    {"statistics", "policy", "results", "checkpoint", "simulate", "generate", "review", "game"},
    {"cli_boards"},
    {"cli", "cli_play", "cli_simulate", "web", "gym"},
    {"__main__"},
]

# Defined for the whole namespace: not only declared, no specialisation, not inside another type.
TYPE = re.compile(r"^(?:struct|class|enum class) (\w+)(?: :[^;\n]*| final)? ?\{", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def cpp_files(folders: Iterable[str]) -> list[Path]:
    return [path for folder in folders for path in sorted((CPP / folder).glob("**/*.[ch]pp"))]


def includes(path: Path, opening: str) -> list[str]:
    """The names that a file includes with `"` (ours) or `<` (everybody else's)."""
    found = INCLUDE.findall(path.read_text(encoding="utf-8"))
    return [name for kind, name in found if kind == opening]


def folder_of(path: Path) -> str:
    return path.relative_to(CPP).parts[0]


def assert_acyclic(graph: Mapping[str, Iterable[str]]) -> None:
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail("a cycle: " + " -> ".join(error.args[1]))


def test_every_cpp_type_has_a_name_of_its_own() -> None:
    """Two types of one name in one namespace are undefined behaviour that no compiler reports."""
    files: dict[str, list[str]] = {}
    for path in cpp_files([*CORE_FOLDERS, "bindings"]):
        if path.suffix == ".hpp":
            for name in TYPE.findall(path.read_text(encoding="utf-8")):
                files.setdefault(name, []).append(path.name)
    assert files["Problem"] == ["problem.hpp"]
    assert {name: paths for name, paths in files.items() if len(paths) > 1} == {}


def test_every_cpp_folder_has_a_place() -> None:
    found = {folder_of(path) for path in CPP.glob("**/*.[ch]pp")}
    assert found <= {*CORE_FOLDERS, *TOP_FOLDERS}
    assert not list(CPP.glob("*.[ch]pp")), "files belong into a folder of cpp/"


def test_cpp_includes_follow_the_folder_order() -> None:
    wrong = []
    for path in cpp_files(CORE_FOLDERS + TOP_FOLDERS):
        folder = folder_of(path)
        below = CORE_FOLDERS
        if folder in CORE_FOLDERS:
            below = CORE_FOLDERS[: CORE_FOLDERS.index(folder)]
        for name in includes(path, '"'):
            if not (CPP / name).is_file():
                wrong.append(f'{path.relative_to(ROOT)}: "{name}" is not a path below cpp/')
            elif folder_of(CPP / name) not in {folder, *below}:
                wrong.append(f'{path.relative_to(ROOT)}: "{name}" stands above {folder}/')
    assert not wrong, "\n".join(wrong)


def test_cpp_includes_have_no_cycle() -> None:
    files = cpp_files(CORE_FOLDERS + TOP_FOLDERS)
    assert_acyclic({path.relative_to(CPP).as_posix(): includes(path, '"') for path in files})


def test_enumeration_shares_no_code_with_elimination() -> None:
    """The two engines check each other, which they can only as long as they are independent."""
    for path in cpp_files(["enumeration"]):
        assert not [name for name in includes(path, '"') if name.startswith("elimination/")], path


def test_only_the_bindings_know_python() -> None:
    """And they reach pybind11 through one header."""
    for path in cpp_files(CORE_FOLDERS + TOP_FOLDERS):
        foreign = [
            name
            for name in includes(path, "<")
            if name.startswith(("pybind11", "Python.h", "numpy"))
        ]
        if path != CPP / "bindings" / "pybind.hpp":
            assert not foreign, f"{path.relative_to(ROOT)} includes {foreign}"


def modules() -> list[str]:
    return sorted(path.stem for path in PYTHON.glob("*.py") if path.stem != "__init__")


def imported_modules(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The modules of mineodds that these statements import; "" is the package itself."""
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = "mineodds" if node.level else ""
            base = ".".join(part for part in (package, node.module) if part)
            names = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "mineodds":
                module = rest.partition(".")[0]
                yield module if module in {"_core", *modules()} else ""


def syntax_tree(module: str) -> ast.Module:
    return ast.parse((PYTHON / f"{module}.py").read_text(encoding="utf-8"))


def layer(module: str) -> int:
    return next(level for level, names in enumerate(PYTHON_LAYERS) if module in names)


def test_every_python_module_has_a_layer() -> None:
    assert set(modules()) <= set().union(*PYTHON_LAYERS)
    assert not [path for path in PYTHON.iterdir() if path.is_dir() and path.name != "__pycache__"]


@pytest.mark.parametrize("module", modules())
def test_python_imports_follow_the_layers(module: str) -> None:
    """Imports inside functions and for type checkers included."""
    for imported in imported_modules(ast.walk(syntax_tree(module))):
        assert imported, f"{module}.py imports the package, which stands above its modules"
        assert layer(imported) <= layer(module), f"{module}.py imports {imported}, a layer above it"


def test_python_imports_have_no_cycle() -> None:
    assert_acyclic(
        {module: set(imported_modules(syntax_tree(module).body)) for module in modules()}
    )


def test_importing_the_package_imports_numpy_and_no_more() -> None:
    """Start-up stays fast, and the optional packages stay optional."""
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import mineodds\n"
        "print(*sorted(set(sys.modules) - before))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = run.stdout.split()
    foreign = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    assert foreign <= {"mineodds", "numpy"}
    assert "mineodds.cli" not in loaded
    assert "mineodds.display" not in loaded
