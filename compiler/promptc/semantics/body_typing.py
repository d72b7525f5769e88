"""Type a body: every expression in it, with the variables that are visible at each place."""

from dataclasses import replace

from promptc.diagnostics.model import Diagnostic, Label
from promptc.semantics.scope_env import Env, LocalVar, proved
from promptc.semantics.typing import Typer, join_types
from promptc.syntax import bodies_ast as ast
from promptc.types import List, Type, describe


class BodyTyper:
    """Types the bodies of one section; unique names of locals are unique within the section."""

    def __init__(self, typer: Typer) -> None:
        self.typer = typer
        self._taken: dict[str, int] = {}

    def check(self, body: ast.Body) -> None:
        """Type a whole body. Locals of an including body are not visible in it."""
        self._parts(body.parts, Env({}, broken=body.broken), {})

    def _unique(self, name: str) -> str:
        count = self._taken.get(name, 0) + 1
        self._taken[name] = count
        return name if count == 1 else f"{name}_{count}"

    def _parts(self, parts: tuple[ast.Part, ...], env: Env, frame: dict[str, str]) -> Env:
        for part in parts:
            match part:
                case ast.Output(value=value):
                    self.typer.printable(value, env)
                case ast.If():
                    env = self._if(part, env, frame)
                case ast.For():
                    self._for(part, env)
                case ast.Set():
                    env = self._set(part, env, frame)
                case ast.Include():
                    self._include(part)
                case ast.Literal():
                    pass
        return env

    def _if(self, part: ast.If, env: Env, frame: dict[str, str]) -> Env:
        ends: list[Env] = []
        inside = env
        for branch in part.branches:
            self.typer.condition(branch.test, inside)
            ends.append(self._parts(branch.body, inside.with_narrowed(proved(branch.test, True)), frame))
            inside = inside.with_narrowed(proved(branch.test, False))
        ends.append(self._parts(part.orelse, inside, frame))
        return self._merge(env, ends)

    @staticmethod
    def _merge(before: Env, ends: list[Env]) -> Env:
        visible = dict(before.locals)
        half: set[str] = set(before.half_set)
        for name in {n: None for end in ends for n in end.locals}:
            found = [end.locals.get(name) for end in ends]
            if any(v is None for v in found):
                half.add(name)
                continue
            variables = [v for v in found if v is not None]
            kind: Type | None = variables[0].type
            for variable in variables[1:]:
                kind = None if kind is None or variable.type is None else join_types(kind, variable.type)
            visible[name] = LocalVar(variables[0].unique, kind)
        return replace(before, locals=visible, half_set=frozenset(half))

    def _shadow(self, name: str, part: ast.For | ast.Set) -> None:
        decl = self.typer.facts.symbols.values.get(name)
        if decl is not None:
            ident = part.target if isinstance(part, ast.For) else part.name
            self.typer.sink.report(
                Diagnostic(
                    "PC224",
                    f"the variable `{name}` hides an input or gate of the same name",
                    Label(ident.span, "hidden from here on"),
                    (Label(decl.name.span, "declared here"),),
                )
            )

    def _for(self, part: ast.For, env: Env) -> None:
        kind = self.typer.value(part.iterable, env, "looped over")
        item: Type | None = None
        if isinstance(kind, List):
            item = kind.item
        elif kind is not None:
            self.typer.report("PC312", part.iterable, f"a loop runs over a list, this is `{describe(kind)}`")
        self._shadow(part.target.name, part)
        unique = self._unique(part.target.name)
        self.typer.facts.locals[part] = unique
        inside = env.with_local(part.target.name, LocalVar(unique, item))
        if part.test is not None:
            # The test decides which elements count, so `loop` has no meaning in it yet.
            self.typer.condition(part.test, replace(inside, loop=None))
            inside = inside.with_narrowed(proved(part.test, True))
        self._parts(part.body, replace(inside, loop=unique), {})
        self._parts(part.orelse, env, {})

    def _set(self, part: ast.Set, env: Env, frame: dict[str, str]) -> Env:
        kind = self.typer.type_of(part.value, env)
        name = part.name.name
        unique = frame.get(name)
        if unique is None:
            self._shadow(name, part)
            unique = frame[name] = self._unique(name)
        earlier = env.locals.get(name)
        if earlier is not None and earlier.unique == unique and earlier.type is not None and kind is not None:
            joined = join_types(earlier.type, kind)
            if joined is None:
                was, now = describe(earlier.type), describe(kind)
                self.typer.report("PC315", part.name, f"`{name}` was `{was}` and becomes `{now}`")
        self.typer.facts.locals[part] = unique
        return env.with_local(name, LocalVar(unique, kind))

    def _include(self, part: ast.Include) -> None:
        symbols = self.typer.facts.symbols
        if part.name.name in symbols.sections:
            return
        from_library = ", ".join(f"`{s}`" for s in symbols.sections) or "none is declared"
        self.typer.report(
            "PC206",
            part.name,
            f"there is no library section `{part.name.name}`",
            help=f"library sections: {from_library}",
        )
