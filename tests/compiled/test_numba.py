"""What this library uses of Numba that is not public: when Numba changes, this says which name broke."""

import importlib
import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import numba
import pytest

PROJECT = Path(__file__).resolve().parents[2]

NAMES = {
    "numba.core.caching": ("CompileResultCacheImpl", "FunctionCache", "IndexDataCacheFile", "_CacheLocator"),
    "numba.core.caching.Cache": ("_index_key", "load_overload", "_load_overload", "save_overload", "enable", "disable", "_impl_class"),
    "numba.core.caching.IndexDataCacheFile": ("_save_data", "_load_data", "_open_for_write", "_data_path"),
    "numba.core.caching.CacheImpl": ("filename_base", "locator", "check_cachable"),
    "numba.core.caching.CompileResultCacheImpl": ("_locator_classes", "rebuild", "reduce"),
    "numba.core.codegen.RuntimeLinker": ("PREFIX",),
    "numba.core.codegen.CPUCodeLibrary": (
        "finalize", "_finalize_final_module", "_finalize_dynamic_globals", "_verify_declare_only_symbols",
        "_get_module_for_linking", "_ensure_finalized", "serialize_using_object_code",
    ),
    "numba.core.codegen.JITCodeLibrary": ("get_pointer_to_function",),
    "numba.core.codegen.JITCPUCodegen": ("set_env", "unserialize_library", "magic_tuple"),
    "numba.core.compiler.Compiler": ("define_pipelines", "compile_extra"),
    "numba.core.compiler.CompileResult": ("_rebuild", "_reduce", "_find_referenced_environments"),
    "numba.core.cpu.CPUContext": (
        "get_executable", "add_linking_libs", "get_function", "make_constant_array", "subtarget",
        "active_code_library", "allow_dynamic_globals",
    ),
    "numba.core.funcdesc.FunctionDescriptor": ("llvm_func_name", "llvm_cpython_wrapper_name"),
    "numba.core.runtime.nrt.rtsys": ("initialize",),
    "numba.core.typeinfer.TypeInferer": ("return_types_from_partial",),
    "numba.core.types.Dispatcher": ("get_call_type",),
    "numba.core.types.functions.Function": ("get_call_type", "get_impl_key"),
    "numba.core.registry": ("CPUDispatcher",),
    "numba.core.dispatcher": ("Dispatcher",),
    "numba.core.ccallback": ("CFunc",),
    "numba.core.config": ("DISABLE_JIT",),
    "numba.core.event": ("register", "Listener"),
    "numba.core.event.Event": ("data", "is_start"),
    "numba.core.extending": ("_Intrinsic",),
    "numba.core.extending._Intrinsic": ("_register",),
    "numba.core.sigutils": ("normalize_signature",),
    "numba.core.types.BaseTuple": ("from_types",),
    "numba.core.typing.typeof": ("typeof_impl",),
    "numba.core.typing.templates": ("AbstractTemplate", "AttributeTemplate"),
    "numba.core.cgutils": ("alloca_once", "alloca_once_value", "unpack_tuple", "get_or_insert_function", "false_bit"),
    "numba.np.arraymath": ("_HAVE_BLAS",),
}


def found(path: str) -> object:
    module, rest = path, []
    while True:
        try:
            thing: object = importlib.import_module(module)
            break
        except ImportError:
            module, _, name = module.rpartition(".")
            rest.insert(0, name)
            assert module, f"Numba has no {path} any more"
    for name in rest:
        assert hasattr(thing, name), f"Numba has no {path} any more"
        thing = getattr(thing, name)
    return thing


@pytest.mark.parametrize("path", NAMES)
def test_numba_still_has_the_private_names_that_are_used(path):
    holder = found(path)
    missing = [name for name in NAMES[path] if not hasattr(holder, name)]
    assert not missing, f"Numba {numba.__version__} has no {', '.join(f'{path}.{name}' for name in missing)} any more"


def test_numbas_private_methods_take_what_they_are_given():
    cache = importlib.import_module("numba.core.caching")
    expected = {
        cache.Cache._index_key: ["self", "sig", "codegen"],
        cache.Cache.load_overload: ["self", "sig", "target_context"],
        cache.Cache.save_overload: ["self", "sig", "data"],
        cache.IndexDataCacheFile.__init__: ["self", "cache_path", "filename_base", "source_stamp"],
        cache.IndexDataCacheFile._save_data: ["self", "name", "data"],
        cache.IndexDataCacheFile._load_data: ["self", "name"],
    }
    for method, names in expected.items():
        assert list(inspect.signature(method).parameters) == names, f"Numba's {method.__qualname__} has other parameters"


def test_compiled_functions_and_libraries_have_the_attributes_that_are_used():
    @numba.njit
    def twice(x):
        return 2 * x

    started = importlib.import_module("numba.core.event").Event("numba:compile", "START")
    assert hasattr(started, "_exc_details"), "Numba's events have no _exc_details any more"
    assert hasattr(twice, "_cache"), "Numba's dispatchers have no _cache any more"
    assert hasattr(twice, "py_func"), "Numba's dispatchers have no py_func any more"
    if numba.core.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return
    assert twice(2) == 4
    (compiled,) = twice.overloads.values()
    assert hasattr(compiled.library, "_final_module"), "Numba's libraries have no _final_module any more"


def test_the_project_allows_no_numba_newer_than_the_one_that_is_tested():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    (bound,) = (text for text in project["dependencies"] if text.startswith("numba"))
    pins = dict(line.split("==") for line in (PROJECT / "requirements" / "dev.txt").read_text().splitlines() if "==" in line)
    major, minor = map(int, pins["numba"].split(".")[:2])
    assert bound.split(",")[1] == f"<{major}.{minor + 1}"
    assert version("numba") == numba.__version__


def test_every_extra_has_code_that_uses_it():
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    source = "\n".join(path.read_text() for path in (PROJECT / "src").rglob("*.py"))
    for extra, needs in project["optional-dependencies"].items():
        for need in needs:
            name = need.partition(">=")[0]
            assert f"import {name}" in source or f"from {name}" in source or f'"{name}"' in source, f"{extra}: {name} is not used"
