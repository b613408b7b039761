"""Where a source can be changed in one place: found in its syntax tree, and named by what is there, not by where it is.

Left out is only what does not run or is for people: annotations, decorators, imports, assertions, texts, and what is
raised. Everything else is a site, whether a test can see the change or not.
"""

import ast
import hashlib
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED = {
    ast.Lt: ("<", "<=", ">="),
    ast.LtE: ("<=", "<", ">"),
    ast.Gt: (">", ">=", "<="),
    ast.GtE: (">=", ">", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_CALCULATED = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
    ast.Pow: ("**", "*"),
}
_JOINED = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
_RENAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Site:
    """One change of one source."""

    function: str
    """The qualified name of the function or class around it; empty at the top of a module."""
    operator: str
    """The kind of change."""
    before: str
    after: str
    """What is there, and what takes its place."""
    occurrence: int
    """Which of the equal changes in this function it is, from 0."""
    digest: str
    """Of the syntax of the function, or of the statement outside of functions."""
    line: int
    text: str
    """The first line of the changed code."""
    start: int
    end: int

    @property
    def name(self) -> str:
        """What stays the same when the file is moved or other code of the function changes."""
        return f"{self.function} | {self.operator} | {self.before} -> {self.after} | {self.occurrence}"

    @property
    def key(self) -> str:
        """What stays the same when the file is moved, and changes with the function."""
        return f"{self.name} | {self.digest}"

    def applied(self, source: str) -> str:
        """The source with this change."""
        return source[: self.start] + self.after + source[self.end :]


@dataclass(frozen=True)
class _Change:
    operator: str
    start: int
    end: int
    after: str


def sites_of(source: str) -> list[Site]:
    """All sites of a module, in the order of the syntax tree."""
    return _Finder(source).sites()


class _Finder:
    def __init__(self, source: str) -> None:
        self.source = source
        # Columns of the syntax tree are bytes.
        self.lines = source.splitlines(keepends=True)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def sites(self) -> list[Site]:
        seen: Counter[tuple[str, ...]] = Counter()
        found: list[Site] = []
        for function, digest, change in self._visit(ast.parse(self.source).body, "", None):
            before = self.source[change.start : change.end]
            # One line in names and lists; the code itself keeps its lines.
            same = (function, change.operator, " ".join(before.split()), " ".join(change.after.split()))
            line = self.source.count("\n", 0, change.start) + 1
            text = self.lines[line - 1].strip()
            found.append(Site(*same, seen[same], digest, line, text, change.start, change.end))
            seen[same] += 1
        return found

    def _visit(
        self, body: list[ast.stmt], function: str, digest: str | None
    ) -> Iterator[tuple[str, str, _Change]]:
        for statement in body:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                inner = f"{function}.{statement.name}" if function else statement.name
                is_class = isinstance(statement, ast.ClassDef)
                if not is_class:
                    own = digest or _digest(statement)
                    for default in [*statement.args.defaults, *statement.args.kw_defaults]:
                        if default is not None:
                            for change in self._changes(default):
                                yield inner, own, change
                yield from self._visit(statement.body, inner, None if is_class else own)
            elif not _is_silent(statement):
                own = digest or _digest(statement)
                for node in _shallow(statement):
                    for change in self._changes(node):
                        yield function, own, change
                if digest is not None:
                    for change in self._changes_of_statement(statement):
                        yield function, own, change
                for field in ("body", "orelse", "finalbody"):
                    yield from self._visit(getattr(statement, field, []), function, digest)
                for handler in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
                    yield from self._visit(handler.body, function, digest)

    def _changes_of_statement(self, statement: ast.stmt) -> Iterator[_Change]:
        start, end = self._span(statement)
        match statement:
            case ast.Expr(value=ast.Call()):
                yield _Change("call dropped", start, end, "pass")
            case ast.Break():
                yield _Change("break", start, end, "continue")
            case ast.Continue():
                yield _Change("continue", start, end, "break")
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield _Change("return", *self._span(value), "None")
            case ast.AugAssign(target=target, op=op, value=value):
                token, other = _CALCULATED[type(op)]
                yield from self._between("arithmetic", target, value, f"{token}=", f"{other}=")
            case ast.If(test=test) | ast.While(test=test) if isinstance(
                test, ast.Name | ast.Attribute | ast.Call
            ):
                yield _Change("condition", *self._span(test), f"not {self._text(test)}")
            case _:
                pass

    def _changes(self, root: ast.expr) -> Iterator[_Change]:
        """The changes in an expression."""
        for node in _inside(root):
            yield from self._changes_of_node(node)

    def _changes_of_node(self, node: ast.expr) -> Iterator[_Change]:
        start, end = self._span(node)
        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                for op, a, b in zip(ops, [left, *others], others, strict=False):
                    token, *new = _COMPARED[type(op)]
                    for other in new:
                        yield from self._between("comparison", a, b, token, other)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _CALCULATED:
                yield from self._between("arithmetic", left, right, *_CALCULATED[type(op)])
            case ast.BoolOp(op=op, values=values):
                for a, b in itertools.pairwise(values):
                    yield from self._between("boolean", a, b, *_JOINED[type(op)])
            case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
                yield _Change("sign or negation", start, end, f"({self._text(operand)})")
            case ast.IfExp(test=test, body=body, orelse=orelse):
                swapped = f"({self._text(orelse)} if {self._text(test)} else {self._text(body)})"
                yield _Change("branches", start, end, swapped)
            case ast.Constant(value=bool() as value):
                yield _Change("truth", start, end, str(not value))
            case ast.Constant(value=int() as value):
                yield _Change("number", start, end, str(value + 1))
                if value > 0:
                    yield _Change("number", start, end, str(value - 1))
            case ast.Constant(value=float() as value):
                yield _Change("number", start, end, repr(value * 2 if value else 1.0))
                if value:
                    yield _Change("number", start, end, repr(value / 2))
            case ast.Call(func=ast.Name(id=name) as func) if name in _RENAMED:
                yield _Change("function", *self._span(func), _RENAMED[name])
            case ast.Call(args=[first, second, *_]) if not isinstance(first, ast.Starred) and not isinstance(
                second, ast.Starred
            ):
                if ast.dump(first) != ast.dump(second):
                    (start, middle), (other, end) = self._span(first), self._span(second)
                    swapped = self.source[other:end] + self.source[middle:other] + self.source[start:middle]
                    yield _Change("arguments", start, end, swapped)
            case _:
                pass

    def _between(
        self, operator: str, left: ast.expr, right: ast.expr, token: str, new: str
    ) -> Iterator[_Change]:
        """A change of the token between two operands; brackets may stand around it, a comment may not."""
        start, end = self._span(left)[1], self._span(right)[0]
        pattern = re.escape(token).replace(r"\ ", r"\s+")
        found = re.fullmatch(rf"[\s()\\]*({pattern})[\s()\\]*", self.source[start:end])
        if found:
            yield _Change(operator, start + found.start(1), start + found.end(1), new)

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1].encode()[:column].decode())

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return (
            f"({self.source[start:end]})"
            if isinstance(node, ast.BoolOp | ast.IfExp | ast.Lambda)
            else self.source[start:end]
        )


def _is_silent(statement: ast.stmt) -> bool:
    """Whether nothing of the statement is changed: imports, assertions, what is raised, texts, what only type checkers see."""
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Raise():
            return True
        case ast.Expr(value=ast.Constant()) | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__all__")]):
            return True
    return False


def _shallow(statement: ast.stmt) -> list[ast.expr]:
    """The expressions of a statement, without its annotation and the statements inside it."""
    left_out = [statement.annotation] if isinstance(statement, ast.AnnAssign) else []
    found = [
        node
        for node in ast.iter_child_nodes(statement)
        if isinstance(node, ast.expr) and node not in left_out
    ]
    for item in getattr(statement, "items", []):
        found.append(item.context_expr)
    for case in getattr(statement, "cases", []):
        found += [case.guard] if case.guard is not None else []
    return found


def _inside(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions in an expression, itself first; not those in formatted texts."""
    if isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.expr):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _inside(child)


def _digest(statement: ast.stmt) -> str:
    return hashlib.sha256(ast.dump(statement).encode()).hexdigest()[:12]
