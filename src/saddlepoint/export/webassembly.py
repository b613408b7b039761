"""WebAssembly of modules: LLVM's back end, which llvmlite brings, and the linker of the package `ziglang`."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import llvmlite.binding as llvm
import numba

from ..compiled.sources import PACKAGE
from ..system.terminal import how_to_install
from .lowering import ExportError, Unit, retargeted

_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
_STACK = 1 << 20
"""Bytes of the stack that lies in the module's memory: what is too large for a machine's registers, at every step of a search."""

_HELPERS = """
target triple = "{triple}"
target datalayout = "{layout}"

%info = type {{ i64, ptr, ptr, ptr, i64 }}
@saddlepoint.free = internal global [32 x ptr] zeroinitializer
@saddlepoint.next = internal global i32 0
@saddlepoint.end = internal global i32 0

declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare void @llvm.trap()

define i32 @saddlepoint_is_interrupted() alwaysinline {{
  ret i32 0
}}

define void @NRT_incref(ptr %p) alwaysinline {{
  %none = icmp eq ptr %p, null
  br i1 %none, label %end, label %count
count:
  %old = load i64, ptr %p
  %new = add i64 %old, 1
  store i64 %new, ptr %p
  br label %end
end:
  ret void
}}

define void @NRT_decref(ptr %p) alwaysinline {{
  %none = icmp eq ptr %p, null
  br i1 %none, label %end, label %count
count:
  %old = load i64, ptr %p
  %new = sub i64 %old, 1
  store i64 %new, ptr %p
  %last = icmp eq i64 %new, 0
  br i1 %last, label %free, label %end
free:
  call void @saddlepoint.release(ptr %p)
  br label %end
end:
  ret void
}}

define internal void @saddlepoint.release(ptr %p) noinline {{
  %place = getelementptr %info, ptr %p, i32 0, i32 4
  %kind = load i64, ptr %place
  %list = getelementptr [32 x ptr], ptr @saddlepoint.free, i32 0, i64 %kind
  %head = load ptr, ptr %list
  %next = getelementptr %info, ptr %p, i32 0, i32 1
  store ptr %head, ptr %next
  store ptr %p, ptr %list
  ret void
}}

define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) noinline {{
  %more = add i64 %size, 47
  %zeros = call i64 @llvm.ctlz.i64(i64 %more, i1 false)
  %kind = sub i64 64, %zeros
  %huge = icmp ugt i64 %kind, 30
  br i1 %huge, label %fail, label %look
look:
  %list = getelementptr [32 x ptr], ptr @saddlepoint.free, i32 0, i64 %kind
  %head = load ptr, ptr %list
  %empty = icmp eq ptr %head, null
  br i1 %empty, label %cut, label %take
take:
  %link = getelementptr %info, ptr %head, i32 0, i32 1
  %rest = load ptr, ptr %link
  store ptr %rest, ptr %list
  br label %made
cut:
  %kind32 = trunc i64 %kind to i32
  %bytes = shl i32 1, %kind32
  %begin = load i32, ptr @saddlepoint.next
  %limit = load i32, ptr @saddlepoint.end
  %left = sub i32 %limit, %begin
  %fits = icmp ule i32 %bytes, %left
  br i1 %fits, label %bump, label %grow
grow:
  %rounded = add i32 %bytes, 65535
  %few = lshr i32 %rounded, 16
  %pages = call i32 @llvm.umax.i32(i32 %few, i32 4)
  %old = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %pages)
  %refused = icmp eq i32 %old, -1
  br i1 %refused, label %fail, label %grown
grown:
  %fresh = shl i32 %old, 16
  %span = shl i32 %pages, 16
  %until = add i32 %fresh, %span
  store i32 %until, ptr @saddlepoint.end
  br label %bump
bump:
  %from = phi i32 [ %begin, %cut ], [ %fresh, %grown ]
  %to = add i32 %from, %bytes
  store i32 %to, ptr @saddlepoint.next
  %cutout = inttoptr i32 %from to ptr
  br label %made
made:
  %p = phi ptr [ %head, %take ], [ %cutout, %bump ]
  store i64 1, ptr %p
  %data = getelementptr i8, ptr %p, i32 48
  %held = getelementptr %info, ptr %p, i32 0, i32 3
  store ptr %data, ptr %held
  %class = getelementptr %info, ptr %p, i32 0, i32 4
  store i64 %kind, ptr %class
  ret ptr %p
fail:
  call void @llvm.trap()
  unreachable
}}

declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.smin.i32(i32, i32)

define double @numba_frexp(double %x, ptr %exp) {{
  %first = bitcast double %x to i64
  %field = lshr i64 %first, 52
  %small = and i64 %field, 2047
  %subnormal = icmp eq i64 %small, 0
  %scaled = fmul double %x, 0x43F0000000000000
  %y = select i1 %subnormal, double %scaled, double %x
  %less = select i1 %subnormal, i32 -1086, i32 -1022
  %bits = bitcast double %y to i64
  %above = lshr i64 %bits, 52
  %e64 = and i64 %above, 2047
  %e = trunc i64 %e64 to i32
  %zero = icmp eq i32 %e, 0
  %odd = icmp eq i32 %e, 2047
  %as_is = or i1 %zero, %odd
  %power = add i32 %e, %less
  %told = select i1 %as_is, i32 0, i32 %power
  store i32 %told, ptr %exp, align 4
  %kept = and i64 %bits, -9218868437227405313
  %half = or i64 %kept, 4602678819172646912
  %fraction = bitcast i64 %half to double
  %found = select i1 %as_is, double %x, double %fraction
  ret double %found
}}

define double @numba_ldexp(double %x, i32 %n) {{
  %large = icmp sgt i32 %n, 1023
  %tiny = icmp slt i32 %n, -1022
  %up1 = fmul double %x, 0x7FE0000000000000
  %down1 = fmul double %x, 0x0360000000000000
  %n_up1 = sub i32 %n, 1023
  %n_down1 = add i32 %n, 969
  %x1a = select i1 %large, double %up1, double %x
  %x1 = select i1 %tiny, double %down1, double %x1a
  %n1a = select i1 %large, i32 %n_up1, i32 %n
  %n1 = select i1 %tiny, i32 %n_down1, i32 %n1a
  %large2 = icmp sgt i32 %n1, 1023
  %tiny2 = icmp slt i32 %n1, -1022
  %up2 = fmul double %x1, 0x7FE0000000000000
  %down2 = fmul double %x1, 0x0360000000000000
  %n_up2 = sub i32 %n1, 1023
  %n_down2 = add i32 %n1, 969
  %x2a = select i1 %large2, double %up2, double %x1
  %x2 = select i1 %tiny2, double %down2, double %x2a
  %n2a = select i1 %large2, i32 %n_up2, i32 %n1
  %n2 = select i1 %tiny2, i32 %n_down2, i32 %n2a
  %n3 = call i32 @llvm.smin.i32(i32 %n2, i32 1023)
  %n4 = call i32 @llvm.smax.i32(i32 %n3, i32 -1022)
  %biased = add i32 %n4, 1023
  %wide = zext i32 %biased to i64
  %bits = shl i64 %wide, 52
  %scale = bitcast i64 %bits to double
  %found = fmul double %x2, %scale
  ret double %found
}}

define i32 @numba_attempt_nocopy_reshape(
  i64 %nd, ptr %dims, ptr %strides, i64 %newnd, ptr %newdims, ptr %newstrides, i64 %itemsize, i32 %is_f
) {{
entry:
  %c_order = icmp eq i32 %is_f, 0
  br i1 %c_order, label %old, label %refuse
old:
  %k = phi i64 [ %nd, %entry ], [ %k1, %checked ]
  %step = phi i64 [ %itemsize, %entry ], [ %step1, %checked ]
  %done = icmp eq i64 %k, 0
  br i1 %done, label %new, label %check
check:
  %k1 = sub i64 %k, 1
  %dim_at = getelementptr i64, ptr %dims, i64 %k1
  %dim = load i64, ptr %dim_at
  %stride_at = getelementptr i64, ptr %strides, i64 %k1
  %stride = load i64, ptr %stride_at
  %same = icmp eq i64 %stride, %step
  %one = icmp eq i64 %dim, 1
  %fits = or i1 %same, %one
  %step1 = mul i64 %step, %dim
  br i1 %fits, label %checked, label %refuse
checked:
  br label %old
new:
  %j = phi i64 [ %newnd, %old ], [ %j1, %write ]
  %next = phi i64 [ %itemsize, %old ], [ %next1, %write ]
  %all = icmp eq i64 %j, 0
  br i1 %all, label %made, label %write
write:
  %j1 = sub i64 %j, 1
  %newdim_at = getelementptr i64, ptr %newdims, i64 %j1
  %newdim = load i64, ptr %newdim_at
  %newstride_at = getelementptr i64, ptr %newstrides, i64 %j1
  store i64 %next, ptr %newstride_at
  %next1 = mul i64 %next, %newdim
  br label %new
made:
  ret i32 1
refuse:
  ret i32 0
}}

define ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) {{
  %p = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %p
}}
"""
"""What Numba has in C: the memory of arrays that a rule makes (pieces of 2^n bytes, each kept for the next one of its size when it is done
with), the parts of a float, and arrays in another shape, which must be contiguous."""

_INSTRUCTIONS = {
    "sqrt": ("double", "sqrt.f64"),
    "sqrtf": ("float", "sqrt.f32"),
    "floor": ("double", "floor.f64"),
    "ceil": ("double", "ceil.f64"),
    "trunc": ("double", "trunc.f64"),
    "rint": ("double", "nearbyint.f64"),
}
"""Functions of C that are one instruction of WebAssembly: the type of their number, and what LLVM calls the instruction."""


def _helpers(layout: str) -> str:
    """The functions that are added to every module."""
    text = _HELPERS.format(triple=_TRIPLE, layout=layout)
    for name, (kind, instruction) in _INSTRUCTIONS.items():
        text += (
            f"declare {kind} @llvm.{instruction}({kind})\ndefine {kind} @{name}({kind} %x) alwaysinline {{\n"
            f"  %found = call {kind} @llvm.{instruction}({kind} %x)\n  ret {kind} %found\n}}\n"
        )
    return text


_WIDE = """
target triple = "{triple}"
target datalayout = "{layout}"

define hidden void @__multi3(ptr %out, i64 %a, i64 %ah, i64 %b, i64 %bh) {{
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %c = lshr i64 %p00, 32
  %m0 = add i64 %p10, %c
  %m0l = and i64 %m0, 4294967295
  %m0h = lshr i64 %m0, 32
  %m1 = add i64 %p01, %m0l
  %m1h = lshr i64 %m1, 32
  %h0 = add i64 %p11, %m0h
  %h1 = add i64 %h0, %m1h
  %x = mul i64 %ah, %b
  %y = mul i64 %a, %bh
  %h2 = add i64 %h1, %x
  %h3 = add i64 %h2, %y
  %low = mul i64 %a, %b
  store i64 %low, ptr %out, align 8
  %place = getelementptr i8, ptr %out, i32 8
  store i64 %h3, ptr %place, align 8
  ret void
}}
"""
"""The product of 128 bits, which LLVM calls by this name where a machine has no instruction for it."""


@cache
def _machine() -> llvm.TargetMachine:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(_TRIPLE).create_target_machine(opt=3, features=_FEATURES, reloc="static")


def linked(unit: Unit) -> bytes:
    """The module of WebAssembly, optimised as a whole.

    Raises ExportError, in one sentence, where it would ask of its host what a host has not.
    """
    machine = _machine()
    layout = str(machine.target_data)
    first, *others = unit.finished()
    whole = llvm.parse_assembly(retargeted(first, _TRIPLE, layout))
    for text in (*others, _helpers(layout)):
        whole.link_in(llvm.parse_assembly(retargeted(text, _TRIPLE, layout)))
    whole.verify()
    for function in whole.functions:
        if not function.is_declaration and function.name not in unit.exported:
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    passes = builder.getModulePassManager()
    passes.add_refprune_pass()
    passes.run(whole, builder)
    _check_imports(whole)
    objects = [
        machine.emit_object(whole),
        machine.emit_object(llvm.parse_assembly(_WIDE.format(triple=_TRIPLE, layout=layout))),
    ]
    code = _link(objects, unit.exported)
    for path in {
        str(PACKAGE),
        str(Path(numba.__file__).parent),
        str(Path.home()),
        os.getcwd(),
        tempfile.gettempdir(),
    }:
        if len(path) > 3 and path.encode() in code:  # a shorter one may be there by chance
            raise ExportError(f"the module would carry {path}, a path of this machine")
    return code


def _check_imports(module: llvm.ModuleRef) -> None:
    """Raise ExportError for a function that no host has; the message names a caller."""
    for function in module.functions:
        name = function.name
        if function.is_declaration and not name.startswith("llvm.") and name not in _OF_THE_HOST:
            callers = [
                one.name for one in module.functions if not one.is_declaration and f"@{name}(" in str(one)
            ]
            where = f"; {_plain_name(callers[0])} does" if callers else ""
            raise ExportError(f"a rule or an evaluator needs {name}, which an export has not{where}")


_MATHEMATICS = (
    "exp", "expm1", "log", "log1p", "log2", "log10", "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "cbrt", "hypot",
)  # fmt: skip
"""Functions that JavaScript's Math has by these names."""
_OF_THE_HOST = frozenset({"clock_gettime", "fmod", *_MATHEMATICS, *(f"{name}f" for name in _MATHEMATICS)})


def _plain_name(name: str) -> str:
    """The name of a function of Python's from that by which Numba calls its machine code."""
    rest, parts = name.removeprefix("_ZN"), list[str]()
    while (digits := re.match(r"\d+", rest)) is not None:
        length = int(digits[0])
        parts.append(rest[digits.end() : digits.end() + length])
        rest = rest[digits.end() + length :]
    return ".".join(parts[-2:]) or name


def check_linker() -> None:
    """Raise ExportError, in one sentence, where there is no linker."""
    if find_spec("ziglang") is None:
        raise ExportError(f"an export needs a linker, which is not installed: {how_to_install('export')}")


def _link(objects: list[bytes], exported: Iterable[str]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="saddlepoint-export-") as folder:
        names: list[str] = []
        for number, code in enumerate(objects):
            names.append(f"{number}.o")
            Path(folder, names[-1]).write_bytes(code)
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "wasm-ld",
            *names,
            "-o",
            "out.wasm",
            "--no-entry",
            "--strip-all",
            "--gc-sections",
            "--allow-undefined",
            "--stack-first",
            "-z",
            f"stack-size={_STACK}",
            "--export=__heap_base",
            "-O2",
            *(f"--export={name}" for name in exported),
        ]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if ended.returncode:
            raise ExportError(
                f"the linker failed: {(ended.stderr.strip().splitlines() or ['it said nothing'])[0]}"
            )
        return Path(folder, "out.wasm").read_bytes()
