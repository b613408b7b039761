"""Functions and statements of Python as those of JavaScript."""

import ast

from .calls import Calls
from .expressions import described, names_in
from .known import mangled
from .reached import Reached
from .scope import Source, outer_names, parameters_of, yields

_AUGMENTED: dict[type, str] = {
    ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.LShift: "shl", ast.RShift: "shr",
    ast.Pow: "power", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.Add: "grown",
}  # fmt: skip


class Statements(Calls):
    """Translates one function."""

    def __init__(self, program: Reached, source: Source, owner: type | None, kernel: bool) -> None:
        super().__init__(program, source, owner, kernel)
        self.errors: list[str] = []
        """The names of the errors that the handlers around the place have taken."""
        self.loops: list[str | None] = []
        """For each loop around the place the variable that says that it was left, where it has an `else`."""
        self.counted = 0

    # -- functions -------------------------------------------------------------------------------------------------------

    def function(self, name: str) -> str:
        """The function as one of that name."""
        return f"function{'*' if yields(self.source.node.body) else ''} {name}({self._begin(None)}) {{{self._body(self.source.node)}}}"

    def method(self, name: str, is_property: bool = False, is_static: bool = False) -> str:
        """The function as a method of that name, for the body of a class."""
        node = self.source.node
        parameters = self._begin(None if is_static else self.owner)
        own = f"\nconst {self.own_text} = this;" if self.own_text not in ("", "this") else ""
        star = "*" if yields(node.body) else ""
        return f"{'get ' if is_property else ''}{star}{name}({parameters}) {{{own}{self._body(node)}}}"

    def _begin(self, owner: type | None) -> str:
        """The parameters; which of them are the game and the object itself."""
        arguments = self.source.node.args
        listed = [*arguments.posonlyargs, *arguments.args]
        text = self.parameters(arguments, skip=0 if owner is None else 1)
        self.scopes.append(set(names_in(self.source.node)))
        stored = {
            one.id
            for one in ast.walk(self.source.node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        hints = self.source.function.__annotations__
        self.games |= {
            one.arg for one in listed if self.program.is_game(hints.get(one.arg)) and one.arg not in stored
        }
        if owner is not None:
            self.own = listed[0].arg
            self.own_text = mangled(self.own) if self._has_other_this(self.own) else "this"
            if self.program.is_game(owner) and self.own not in stored:
                self.games.add(self.own)
        return text

    def _has_other_this(self, own: str) -> bool:
        """Whether functions stand in it that have a `this` of their own, or its first parameter is bound again."""
        inner = [one for one in ast.walk(self.source.node) if one is not self.source.node]
        if any(isinstance(one, ast.FunctionDef) and yields(one.body) for one in inner):
            return True
        if any(
            isinstance(one, (ast.Name, ast.arg))
            and getattr(one, "id", getattr(one, "arg", "")) == own
            and not isinstance(getattr(one, "ctx", None), ast.Load)
            for one in inner
            if one is not self.source.node.args.args[0]
        ):
            return True
        return any(
            isinstance(one, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
            and (
                len(one.generators) > 1
                or any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(one))
            )
            for one in inner
        )

    def _body(self, node: ast.FunctionDef) -> str:
        """The statements of a function, after its variables."""
        parameters = {one.arg for one in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
        parameters |= {node.args.vararg.arg} if node.args.vararg is not None else set()
        variables = [name for name in dict.fromkeys(names_in(node)) if name not in parameters]
        outer = outer_names(node.body)
        declared = [mangled(name) for name in variables if name not in outer]
        ends = node.body and isinstance(node.body[-1], (ast.Return, ast.Raise))
        last = "" if ends or yields(node.body) else "\nreturn null;"
        variables_text = f"\nlet {', '.join(declared)};" if declared else ""
        return f"{variables_text}{self.block(node.body)}{last}\n"

    # -- statements ------------------------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt]) -> str:
        """Statements one after the other, each on a line."""
        found = ""
        for node in body:
            text = self.statement(node)
            found += f"\n{text}" if text else ""
            if isinstance(node, (ast.Return, ast.Raise)) or (
                isinstance(node, ast.If) and self._always_leaves(node)
            ):
                break
        return found

    def _always_leaves(self, node: ast.If) -> bool:
        """Whether a condition that is known leads to the function's end: what follows is not translated."""
        known = self.decided(node.test)
        taken = node.body if known else node.orelse
        return known is not None and bool(taken) and isinstance(taken[-1], (ast.Return, ast.Raise))

    def statement(self, node: ast.stmt) -> str:
        """A statement."""
        visit = getattr(self, f"_{type(node).__name__.lower()}", None)
        if visit is None:
            raise self.source.refuse(node, f"{described(node)} has no translation")
        return visit(node)

    def _functiondef(self, node: ast.FunctionDef) -> str:
        if node.decorator_list:
            raise self.source.refuse(node, "a decorator within a function has no translation")
        parameters = self.parameters(node.args)
        self.inner[node.name] = [one.arg for one, _ in parameters_of(node.args)]
        self.scopes.append(set(names_in(node)))
        star = yields(node.body)
        body = self._body(node)
        self.scopes.pop()
        name = mangled(node.name)
        return (
            f"{name} = function* ({parameters}) {{{body}}};"
            if star
            else f"{name} = ({parameters}) => {{{body}}};"
        )

    def _return(self, node: ast.Return) -> str:
        return f"return {'null' if node.value is None else self.expr(node.value)};"

    def _pass(self, node: ast.Pass) -> str:
        return ""

    def _nonlocal(self, node: ast.Nonlocal) -> str:
        return ""

    def _break(self, node: ast.Break) -> str:
        return f"{{ {self.loops[-1]} = true; break; }}" if self.loops and self.loops[-1] else "break;"

    def _continue(self, node: ast.Continue) -> str:
        return "continue;"

    def _expr(self, node: ast.Expr) -> str:
        return "" if isinstance(node.value, ast.Constant) else f"{self.expr(node.value)};"

    def _assign(self, node: ast.Assign) -> str:
        match node.targets, node.value:
            case [ast.Tuple(elts=names) as target], ast.Tuple(elts=values) if (
                len(names) == len(values)
                and all(isinstance(one, ast.Name) for one in names)
                and not any(isinstance(one, ast.Starred) for one in values)
            ):
                return f"{self.target(target)} = [{self.items(values)}];"
            case [target], value:
                return self.assigned(target, self.expr(value))
            case targets, value:
                return f"{{ const v$ = {self.expr(value)}; {' '.join(self.assigned(one, 'v$') for one in targets)} }}"

    def _annassign(self, node: ast.AnnAssign) -> str:
        return "" if node.value is None else self.assigned(node.target, self.expr(node.value))

    def assigned(self, target: ast.expr, value: str) -> str:
        """An assignment of a value."""
        match target:
            case ast.Name():
                return f"{mangled(target.id)} = {value};"
            case ast.Attribute():
                self.program.assigned.add(target.attr)
                return f"{self.expr(target.value)}.${target.attr} = {value};"
            case ast.Subscript(slice=ast.Slice()):
                raise self.source.refuse(target, "an assignment to a slice has no translation")
            case ast.Subscript():
                return f"$.put({self.expr(target.value)}, {self.expr(target.slice)}, {value});"
            case ast.Tuple() | ast.List():
                flat = [one.value if isinstance(one, ast.Starred) else one for one in target.elts]
                if all(isinstance(one, (ast.Name, ast.Tuple, ast.List)) for one in flat):
                    return f"{self.target(target)} = {self.apart(target, value)};"
                if flat == target.elts:
                    steps = " ".join(self.assigned(one, f"v$[{k}]") for k, one in enumerate(flat))
                    return f"{{ const v$ = $.unpack({value}, {len(flat)}); {steps} }}"
            case _:
                pass
        raise self.source.refuse(target, f"{described(target)} cannot be assigned to")

    def _augassign(self, node: ast.AugAssign) -> str:
        name = _AUGMENTED.get(type(node.op))
        if name is None:
            raise self.source.refuse(node, f"the operator {type(node.op).__name__} has no translation")
        value = self.expr(node.value)
        match node.target:
            case ast.Name(id=variable):
                return f"{mangled(variable)} = $.{name}({mangled(variable)}, {value});"
            case ast.Attribute(attr=attribute, value=owner):
                self.program.reach(attribute)
                return f"{{ const o$ = {self.expr(owner)}; o$.${attribute} = $.{name}(o$.${attribute}, {value}); }}"
            case ast.Subscript(slice=ast.Slice()) as target:
                raise self.source.refuse(target, "an assignment to a slice has no translation")
            case target:
                parts = f"const o$ = {self.expr(target.value)}, k$ = {self.expr(target.slice)};"
                return f"{{ {parts} $.put(o$, k$, $.{name}($.at(o$, k$), {value})); }}"

    def _delete(self, node: ast.Delete) -> str:
        parts: list[str] = []
        for one in node.targets:
            if not isinstance(one, ast.Subscript) or isinstance(one.slice, ast.Slice):
                raise self.source.refuse(node, "del of what is no item has no translation")
            parts.append(f"$.del({self.expr(one.value)}, {self.expr(one.slice)});")
        return " ".join(parts)

    def _if(self, node: ast.If) -> str:
        known = self.decided(node.test)
        if known is not None:
            return self.block(node.body if known else node.orelse).lstrip("\n")
        text = f"if ({self.condition(node.test)}) {{{self.block(node.body)}\n}}"
        if not node.orelse:
            return text
        if (
            len(node.orelse) == 1
            and isinstance(node.orelse[0], ast.If)
            and self.decided(node.orelse[0].test) is None
        ):
            return f"{text} else {self.statement(node.orelse[0])}"
        return f"{text} else {{{self.block(node.orelse)}\n}}"

    def _loop(self, head: str, first: str, node: ast.For | ast.While) -> str:
        left = None
        if node.orelse:
            self.counted += 1
            left = f"left{self.counted}$"
        self.loops = [*self.loops, left]
        text = f"{head} {{{first}{self.block(node.body)}\n}}"
        self.loops = self.loops[:-1]
        if left is None:
            return text
        return f"let {left} = false;\n{text}\nif (!{left}) {{{self.block(node.orelse)}\n}}"

    def _while(self, node: ast.While) -> str:
        return self._loop(f"while ({self.condition(node.test)})", "", node)

    def _for(self, node: ast.For) -> str:
        collection = self.expr(node.iter)
        if isinstance(node.target, ast.Name):
            return self._loop(f"for ({mangled(node.target.id)} of $.iter({collection}))", "", node)
        value = "x$" if self._is_pairs(node.target, node.iter) else None
        first = f"{self.target(node.target)} = x$;" if value else self.assigned(node.target, "x$")
        return self._loop(f"for (const x$ of $.iter({collection}))", f"\n{first}", node)

    def _raise(self, node: ast.Raise) -> str:
        if node.exc is None:
            if not self.errors:
                raise self.source.refuse(
                    node, "raise without an error outside of a handler has no translation"
                )
            return f"throw {self.errors[-1]};"
        error = self.expr(node.exc)
        return f"throw {error};" if isinstance(node.exc, ast.Call) else f"throw $.raised({error});"

    def _assert(self, node: ast.Assert) -> str:
        said = "" if node.msg is None else self.expr(node.msg)
        return f"if (!{self.condition(node.test)}) throw $.AssertionError({said});"

    def _try(self, node: ast.Try) -> str:
        self.counted += 1
        error, went = f"e{self.counted}$", f"went{self.counted}$"
        tail = f"\n{went} = true;" if node.orelse else ""
        text = f"try {{{self.block(node.body)}{tail}\n}}"
        if node.handlers:
            self.errors.append(error)
            chain = " else ".join([*(self._handler(one, error) for one in node.handlers), f"throw {error};"])
            if any(one.type is None for one in node.handlers):
                chain = chain.removesuffix(f" else throw {error};")
            self.errors.pop()
            text += f" catch ({error}) {{\n{chain}\n}}"
        if node.orelse:  # its errors are not for the handlers
            text = f"let {went} = false;\n{text}\nif ({went}) {{{self.block(node.orelse)}\n}}"
        if node.finalbody:
            start = f"try {{\n{text}\n}}" if node.orelse or not node.handlers else text
            text = f"{text if not node.handlers and not node.orelse else start} finally {{{self.block(node.finalbody)}\n}}"
        return text

    def _handler(self, node: ast.ExceptHandler, error: str) -> str:
        named = f"\n{mangled(node.name)} = {error};" if node.name else ""
        body = f"{{{named}{self.block(node.body)}\n}}"
        if node.type is None:
            return body
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
        return f"if ($.caught({error}, {self.items(list(kinds))})) {body}"
