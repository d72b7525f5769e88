"""The rules are data that holds together, and a category comes from the place of a class in its chain."""

import pytest

from promptc.breaking.rules import CATEGORIES, RULES, at_or_above, category_of, find_rule, widest
from promptc.diagnostics.registry import lookup
from promptc.project import Category

DEFAULT = ("static", "org", "user", "session", "turn")


@pytest.mark.parametrize(
    ("cls", "chain", "category"),
    [
        ("static", DEFAULT, "global"),
        ("org", DEFAULT, "org"),
        ("user", DEFAULT, "org"),
        ("session", DEFAULT, "session"),
        ("turn", DEFAULT, "tail"),
        ("build", ("build", "request"), "global"),
        ("request", ("build", "request"), "tail"),
        ("run", ("build", "run", "request"), "session"),
        ("region", ("build", "region", "run", "request"), "org"),
    ],
)
def test_a_category_is_the_place_of_a_class_in_its_chain(cls: str, chain: tuple[str, ...], category: Category) -> None:
    assert category_of(cls, chain) == category


def test_a_category_counts_as_at_or_above_itself_and_what_concerns_fewer() -> None:
    for index, category in enumerate(CATEGORIES):
        assert [c for c in CATEGORIES if at_or_above(c, category)] == list(CATEGORIES[: index + 1])
    assert widest(["tail", "org", "session"]) == "org"
    assert widest([]) == "metadata"


def test_codes_of_rules_are_never_renumbered() -> None:
    assert {r.id: r.code for r in RULES} == {
        "GLOBAL_PREFIX_CHANGED": "PC810",
        "ORG_PREFIX_CHANGED": "PC811",
        "SESSION_PREFIX_CHANGED": "PC812",
        "TAIL_CHANGED": "PC813",
        "TOOLS_CHANGED": "PC814",
        "MARKER_REMOVED": "PC815",
        "SCOPE_DEMOTED": "PC816",
        "MODEL_CHANGED": "PC817",
        "TARGET_CHANGED": "PC818",
        "PROMPT_REMOVED": "PC819",
        "VARIANTS_ADDED": "PC820",
        "TTL_CHANGED": "PC821",
        "INPUT_ADDED": "PC822",
        "INPUT_REMOVED": "PC823",
        "INPUT_TYPE_CHANGED": "PC824",
        "INPUT_CLASS_CHANGED": "PC825",
    }


def test_rules_have_ids_codes_and_purposes_of_their_own() -> None:
    assert len({r.id for r in RULES}) == len({r.code for r in RULES}) == len({r.purpose for r in RULES}) == len(RULES)
    for rule in RULES:
        assert find_rule(rule.id) is rule
        assert rule.id == rule.id.upper() and rule.purpose.endswith(".")
        assert lookup(rule.code).slug.endswith(rule.id.lower().replace("_", "-"))
    assert find_rule("NOTHING_CHANGED") is None
