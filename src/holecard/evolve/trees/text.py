"""Programs as text: `HitIf(And(Has16,Not(HasAce)))`. A stranger's file is parsed, never executed."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from holecard.errors import ProgramError, unknown_name
from holecard.evolve.trees.language import Language
from holecard.evolve.trees.prefix import END, Tree

LONGEST: Final = 500
"""The most nodes `parse_tree` takes unless told otherwise."""
_TOKEN: Final = re.compile(r"\s*([(),]|[^\s(),]+)")


def text_of(language: Language, tree: Tree) -> str:
    """A tree as text without spaces; `parse_tree` reads it back.

    >>> from holecard.evolve.trees.language import function, terminal
    >>> logic = Language.of(terminal("a"), function("Not", lambda x: not x))
    >>> text_of(logic, np.array([1, 1, 0, END], np.int16))
    'Not(Not(a))'
    """
    parts: list[str] = []
    wanted: list[int] = []
    for code in tree:
        if code == END:
            break
        primitive = language.primitives[code]
        parts.append(primitive.name)
        if primitive.arity:
            parts.append("(")
            wanted.append(primitive.arity)
            continue
        while wanted:
            wanted[-1] -= 1
            if wanted[-1]:
                parts.append(",")
                break
            parts.append(")")
            wanted.pop()
    return "".join(parts)


def parse_tree(language: Language, text: str, longest: int = LONGEST) -> Tree:
    """The tree of a text, int16 codes without `END`. Spaces are free; what cannot be read is told by its column."""
    codes: list[int] = []
    wanted: list[tuple[str, int, int]] = []  # open functions: name, arity, arguments begun
    position = 0
    while True:
        word, column, position = _next(text, position, "a name")
        code = _code(language, word, column)
        codes.append(code)
        if len(codes) > longest:
            raise ProgramError(f"column {column}: a program has at most {longest} nodes")
        primitive = language.primitives[code]
        if primitive.arity:
            position = _expect(
                text, position, "(", f"after {primitive.name}, which takes {_arguments(primitive.arity)}"
            )
            wanted.append((primitive.name, primitive.arity, 1))
            continue
        while wanted:
            name, arity, begun = wanted.pop()
            why = f"{name} takes {_arguments(arity)}"
            if begun < arity:
                position = _expect(text, position, ",", why)
                wanted.append((name, arity, begun + 1))
                break
            position = _expect(text, position, ")", why)
        if not wanted:
            break
    if text[position:].strip():
        column = position + len(text[position:]) - len(text[position:].lstrip()) + 1
        raise ProgramError(f"column {column}: the program is complete here; got {text[position:].strip()[:20]!r}")
    return np.array(codes, np.int16)


def _next(text: str, position: int, expected: str) -> tuple[str, int, int]:
    match = _TOKEN.match(text, position)
    if match is None:
        raise ProgramError(f"column {len(text) + 1}: the text ends where {expected} should stand")
    return match[1], match.start(1) + 1, match.end()


def _expect(text: str, position: int, wanted: str, why: str) -> int:
    word, column, after = _next(text, position, f"{wanted!r}")
    if word != wanted:
        raise ProgramError(f"column {column}: {wanted!r} should stand here ({why}); got {word[:20]!r}")
    return after


def _code(language: Language, word: str, column: int) -> int:
    if word in language.codes:
        return language.codes[word]
    if word in "(),":
        raise ProgramError(f"column {column}: a name should stand here; got {word!r}")
    raise ProgramError(f"column {column}: {unknown_name('name', word, language.codes)}")


def _arguments(arity: int) -> str:
    return "1 argument" if arity == 1 else f"{arity} arguments"
