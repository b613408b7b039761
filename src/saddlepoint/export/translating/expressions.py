"""Expressions of Python as expressions of JavaScript."""

import ast
from collections.abc import Iterator
from typing import Any

from .known import mangled, quoted
from .reached import Reached, refusal
from .scope import (
    Known,
    Source,
    bound_names,
    decided,
    held,
    is_method,
    outer_name,
    parameters_of,
    static,
)

_BINARY: dict[type, str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.LShift: "shl",
    ast.RShift: "shr", ast.Pow: "power", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
_UNARY: dict[type, str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "inv"}
_COMPARED: dict[type, str] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
_COLLECTIONS: dict[type, str] = {ast.Tuple: "$.t({})", ast.List: "[{}]", ast.Set: "$.set([{}])"}
_COMPREHENSIONS: dict[type, str] = {
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.DictComp: "dict",
    ast.GeneratorExp: "",
}
_SURE_BOOLS = frozenset(("any", "all", "isinstance", "bool"))


class Expressions:
    """Translates the expressions of one function."""

    def __init__(self, program: Reached, source: Source, owner: type | None, kernel: bool) -> None:
        self.program, self.source, self.owner, self.kernel = program, source, owner, kernel
        self.scopes: list[set[str]] = []
        """The names that the function and those around the place bind, the innermost last."""
        self.games: set[str] = set()
        """The parameters that are the game."""
        self.inner: dict[str, list[str]] = {}
        """The functions that stand in it, with their parameters."""
        self.own: str | None = None
        """The first parameter of a method."""
        self.own_text = ""
        """What stands for it: `this`, or a constant where functions stand in it that have a `this` of their own."""

    # -- names -----------------------------------------------------------------------------------------------------------

    def is_local(self, name: str) -> bool:
        """Whether a name is a variable of the function."""
        return any(name in scope for scope in self.scopes)

    def look_up(self, name: str) -> Known | None:
        """The live object that a name stands for; None for a variable."""
        if self.is_local(name):
            return Known(self.program.game) if name in self.games else None
        return outer_name(self.source.function, name)

    def static(self, node: ast.expr) -> Known | None:
        """The live object that an expression stands for, where that is known."""
        return static(node, self.look_up)

    def decided(self, node: ast.expr) -> bool | None:
        """Whether a condition holds, where that is known."""
        return decided(
            node,
            self.look_up,
            lambda cls: self.program.native(cls) is not None or refusal(cls, None, None) is None,
        )

    # -- expressions -----------------------------------------------------------------------------------------------------

    def expr(self, node: ast.expr) -> str:
        """An expression, as one that can stand anywhere."""
        if isinstance(
            node, (ast.Name, ast.Attribute, ast.Constant, ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript)
        ):
            known = self.static(node)
            if known is not None and not (isinstance(node, ast.Name) and node.id in self.games):
                return self.program.reference(known.value, self.source, node)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return _COLLECTIONS[type(node)].format(self.items(node.elts))
        visit: Any = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            raise self.source.refuse(node, f"{described(node)} has no translation")
        return visit(node)

    def condition(self, node: ast.expr) -> str:
        """An expression as a condition: JavaScript holds other values to be true than Python."""
        match node:
            case ast.UnaryOp(op=ast.Not()):
                return f"!{self.condition(node.operand)}"
            case ast.BoolOp():
                sign = " && " if isinstance(node.op, ast.And) else " || "
                return f"({sign.join(map(self.condition, node.values))})"
            case _:
                return self.expr(node) if self.is_bool(node) else f"$.truth({self.expr(node)})"

    def is_bool(self, node: ast.expr) -> bool:
        """Whether an expression is known to give True or False."""
        match node:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
                return True
            case ast.BoolOp():
                return all(map(self.is_bool, node.values))
            case ast.Call(func=ast.Name(id=name)):
                return name in _SURE_BOOLS and not self.is_local(name)
            case _:
                return False

    def _name(self, node: ast.Name) -> str:
        if self.is_local(node.id):
            return self.own_text if node.id == self.own else mangled(node.id)
        raise self.source.refuse(node, f"the name {node.id!r} is not known")

    def _attribute(self, node: ast.Attribute) -> str:
        base = self.static(node.value)
        if base is not None and base.value is self.program.game and is_method(held(base.value, node.attr)):
            self.program.reach(node.attr)
            return f"$.attribute({self.expr(node.value)}, {quoted(node.attr)})"
        if node.attr.startswith("__") and node.attr != "__name__":
            raise self.source.refuse(node, f"the attribute {node.attr} has no translation")
        self.program.reach(node.attr)
        self.program.ask(node.attr, self.source, node)
        return f"{self.expr(node.value)}.{self.program.read(node.attr)}"

    def _binop(self, node: ast.BinOp) -> str:
        name = _BINARY.get(type(node.op))
        if name is None:
            raise self.source.refuse(node, f"the operator {type(node.op).__name__} has no translation")
        return f"$.{name}({self.expr(node.left)}, {self.expr(node.right)})"

    def _unaryop(self, node: ast.UnaryOp) -> str:
        if isinstance(node.op, ast.Not):
            return self.condition(node)
        return f"$.{_UNARY[type(node.op)]}({self.expr(node.operand)})"

    def _boolop(self, node: ast.BoolOp) -> str:
        if self.is_bool(node):
            return self.condition(node)
        self.no_yield(node)
        *parts, last = node.values
        name, found = "both" if isinstance(node.op, ast.And) else "either", self.expr(last)
        for part in reversed(parts):
            found = f"$.{name}({self.expr(part)}, () => {found})"
        return found

    def _compare(self, node: ast.Compare) -> str:
        if len(node.ops) == 1:
            return self._compared(node.ops[0], node.left, node.comparators[0])
        sides = [node.left, *node.comparators]
        names = [f"t{k}$" for k in range(1, len(sides) - 1)]
        middle = sides[1:-1]
        if all(isinstance(one, (ast.Name, ast.Constant)) for one in middle):
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return f"({' && '.join(self._compared(*pair) for pair in pairs)})"
        self.no_yield(node)
        texts = [self.expr(sides[0]), *names, self.expr(sides[-1])]
        steps = [
            self._compared_texts(op, a, b, node) for op, a, b in zip(node.ops, texts, texts[1:], strict=False)
        ]
        return f"(({', '.join(names)}) => {' && '.join(steps)})({', '.join(map(self.expr, middle))})"

    def _compared(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> str:
        is_text = any(isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (left, right))
        if isinstance(op, (ast.Eq, ast.NotEq)) and is_text:
            return f"({self.expr(left)} {'=' if isinstance(op, ast.Eq) else '!'}== {self.expr(right)})"
        return self._compared_texts(op, self.expr(left), self.expr(right), left)

    def _compared_texts(self, op: ast.cmpop, left: str, right: str, node: ast.AST) -> str:
        if isinstance(op, (ast.Is, ast.IsNot)):
            return f"({left} {'=' if isinstance(op, ast.Is) else '!'}== {right})"
        if isinstance(op, (ast.In, ast.NotIn)):
            return f"{'!' if isinstance(op, ast.NotIn) else ''}$.has({right}, {left})"
        name = _COMPARED.get(type(op))
        if name is None:
            raise self.source.refuse(node, f"the comparison {type(op).__name__} has no translation")
        return f"$.{name}({left}, {right})"

    def _ifexp(self, node: ast.IfExp) -> str:
        known = self.decided(node.test)
        if known is not None:
            return self.expr(node.body if known else node.orelse)
        return f"({self.condition(node.test)} ? {self.expr(node.body)} : {self.expr(node.orelse)})"

    def items(self, nodes: list[ast.expr]) -> str:
        """Expressions one after the other, some of them with a star."""
        return ", ".join(
            f"...$.iter({self.expr(one.value)})" if isinstance(one, ast.Starred) else self.expr(one)
            for one in nodes
        )

    def _dict(self, node: ast.Dict) -> str:
        parts: list[str] = []
        pairs: list[str] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                parts += [f"[{', '.join(pairs)}]", self.expr(value)]
                pairs = []
            else:
                pairs.append(f"[{self.expr(key)}, {self.expr(value)}]")
        return f"$.dict({', '.join([*parts, *(['[' + ', '.join(pairs) + ']'] if pairs else [])])})"

    def _subscript(self, node: ast.Subscript) -> str:
        if isinstance(node.slice, ast.Slice):
            bounds = [node.slice.lower, node.slice.upper, node.slice.step]
            return f"$.slice({self.expr(node.value)}, {', '.join('null' if one is None else self.expr(one) for one in bounds)})"
        return f"$.at({self.expr(node.value)}, {self.expr(node.slice)})"

    def _joinedstr(self, node: ast.JoinedStr) -> str:
        return f"`{''.join(map(self._part, node.values))}`"

    def _part(self, node: ast.expr) -> str:
        if isinstance(node, ast.Constant):
            return quoted(str(node.value))[1:-1].replace('\\"', '"').replace("`", "\\`").replace("${", "\\${")
        if not isinstance(node, ast.FormattedValue):
            raise self.source.refuse(node, f"{described(node)} in a text has no translation")
        value = self.expr(node.value)
        value = {115: f"$.str({value})", 114: f"$.repr({value})"}.get(node.conversion, value)
        if node.conversion == 97:
            raise self.source.refuse(node, "!a has no translation")
        if node.format_spec is None:
            return f"${{{value if node.conversion > 0 else f'$.str({value})'}}}"
        return f"${{$.format({value}, {self.expr(node.format_spec)})}}"

    def _namedexpr(self, node: ast.NamedExpr) -> str:
        return f"({mangled(node.target.id)} = {self.expr(node.value)})"

    def _lambda(self, node: ast.Lambda) -> str:
        with_names = {one.arg for one, _ in parameters_of(node.args)}
        parameters = self.parameters(node.args)
        self.scopes.append(with_names)
        body = self.expr(node.body)
        self.scopes.pop()
        return f"(({parameters}) => {body})"

    def parameters(self, arguments: ast.arguments, skip: int = 0) -> str:
        """The parameters of a function, with their defaults; `skip`: without the first of them."""
        if arguments.kwarg is not None:
            raise self.source.refuse(arguments.kwarg, "a parameter with two stars has no translation")
        if arguments.vararg is not None and arguments.kwonlyargs:
            raise self.source.refuse(arguments.vararg, "parameters after one with a star have no translation")
        parts = [
            mangled(one.arg) + ("" if usual is None else f" = {self.expr(usual)}")
            for one, usual in parameters_of(arguments)
        ]
        star = arguments.vararg
        return ", ".join([*parts[skip:], *([f"...{mangled(star.arg)}"] if star is not None else [])])

    # -- comprehensions --------------------------------------------------------------------------------------------------

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> str:
        """A comprehension: over one collection a call of a function, over more a generator that gets the
        first, as in Python.
        """
        generators, kind = node.generators, _COMPREHENSIONS[type(node)]
        if isinstance(node, ast.DictComp):
            element: ast.expr = ast.copy_location(ast.List([node.key, node.value], ast.Load()), node)
        else:
            element = node.elt
        if len(generators) == 1 and not any(map(self.has_yield, (element, *generators[0].ifs))):
            made = self._made_of_each(generators[0], element, "each" if kind else "lazy")
            return made if kind in ("", "list") else f"$.{kind}({made})"
        first = self.expr(generators[0].iter)
        names = {one.id for part in generators for one in ast.walk(part.target) if isinstance(one, ast.Name)}
        self.scopes.append(names)
        loops = ""
        for k, part in enumerate(generators):
            collection = "$0" if k == 0 else f"$.iter({self.expr(part.iter)})"
            loops += f"for (const {self.target(part.target, part.iter)} of {self.taken(part.target, part.iter, collection)}) "
            loops += "".join(f"if ({self.condition(test)}) " for test in part.ifs)
        value = self.expr(element)
        self.scopes.pop()
        made = f"(function* ($0) {{ {loops}yield {value}; }})($.iter({first}))"
        return f"$.{kind}({made})" if kind else made

    _listcomp = _setcomp = _dictcomp = _generatorexp = _comprehension

    def _made_of_each(self, part: ast.comprehension, element: ast.expr, name: str) -> str:
        collection = self.taken(part.target, part.iter, self.expr(part.iter))
        self.scopes.append({one.id for one in ast.walk(part.target) if isinstance(one, ast.Name)})
        target, tests = self.target(part.target), " && ".join(map(self.condition, part.ifs))
        made = self.expr(element)
        self.scopes.pop()
        target = target if target.isidentifier() else f"({target})"
        made = f"({made})" if made.startswith("{") else made
        return f"$.{name}({collection}, {target} => {made}{f', {target} => {tests}' if tests else ''})"

    def taken(self, target: ast.expr, collection: ast.expr, text: str) -> str:
        """A collection whose items are unpacked into the target's names, unless they are known to be pairs."""
        if isinstance(target, ast.Name) or self._is_pairs(target, collection):
            return text
        return f"$.map((x$) => {self.apart(target, 'x$')}, {text})"

    def target(self, node: ast.expr, collection: ast.expr | None = None) -> str:
        """The target of an assignment, as a pattern of JavaScript's."""
        if isinstance(node, ast.Name):
            return mangled(node.id)
        if isinstance(node, (ast.Tuple, ast.List)):
            return f"[{', '.join(self.target(one) for one in node.elts)}]"
        if isinstance(node, ast.Starred):
            return self.target(node.value)
        raise self.source.refuse(node, f"{described(node)} cannot be assigned to here")

    def apart(self, node: ast.expr, value: str) -> str:
        """A value taken apart as a target asks for it."""
        if not isinstance(node, (ast.Tuple, ast.List)):
            return value
        places = [k for k, one in enumerate(node.elts) if isinstance(one, ast.Starred)]
        taken = f"$.unpack({value}, {len(node.elts)})"
        if places:
            taken = f"$.unpackStar({value}, {places[0]}, {len(node.elts) - places[0] - 1})"
        inner = [(k, one) for k, one in enumerate(node.elts) if isinstance(one, (ast.Tuple, ast.List))]
        if inner:
            names = [f"p{k}$" for k in range(len(node.elts))]
            parts = [self.apart(one, name) for one, name in zip(node.elts, names, strict=True)]
            return f"(([{', '.join(names)}]) => [{', '.join(parts)}])({taken})"
        return taken

    def _is_pairs(self, target: ast.expr, collection: ast.expr) -> bool:
        """Whether the items of a collection are known to be as many as a flat target takes."""
        match target, collection:
            case ast.Tuple(elts=names), ast.Call(args=given) if all(
                isinstance(one, ast.Name) for one in names
            ):
                match collection.func:
                    case ast.Attribute(attr=name):
                        return name == "items" and len(names) == 2
                    case ast.Name(id="enumerate" | "zip" as name) if not self.is_local(name):
                        count = 2 if name == "enumerate" else len(given)
                        return count == len(names) and not any(isinstance(one, ast.Starred) for one in given)
                    case _:
                        return False
            case _:
                return False

    def has_yield(self, node: ast.expr) -> bool:
        """Whether an expression has a `yield` in it."""
        return any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in ast.walk(node))

    def no_yield(self, node: ast.expr) -> None:
        """Refuse `yield` in what becomes a function of its own."""
        if self.has_yield(node):
            raise self.source.refuse(node, "yield within such an expression has no translation")

    # -- generators ------------------------------------------------------------------------------------------------------

    def _yield(self, node: ast.Yield) -> str:
        return f"(yield {'null' if node.value is None else self.expr(node.value)})"

    def _yieldfrom(self, node: ast.YieldFrom) -> str:
        return f"(yield* $.iter({self.expr(node.value)}))"


def described(node: ast.AST) -> str:
    """A construct of Python in words."""
    words = {
        "With": "a with statement",
        "Import": "an import",
        "ImportFrom": "an import",
        "Global": "a global variable",
        "Match": "a match",
        "ClassDef": "a class in a function",
        "Await": "await",
        "AsyncFor": "an async for",
        "TryStar": "except*",
        "Slice": "a slice",
        "AsyncFunctionDef": "an async function",
        "AsyncWith": "an async with",
        "Delete": "del",
    }
    return words.get(type(node).__name__, f"the construct {type(node).__name__}")


def names_in(function: ast.FunctionDef) -> Iterator[str]:
    """All names that a function binds: its parameters and variables."""
    arguments = function.args
    yield from (one.arg for one, _ in parameters_of(arguments))
    yield from (one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None)
    yield from bound_names(function.body)
