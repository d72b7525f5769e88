"""Rules about texts: envelopes, fences, placeholders, characters that cannot be sent."""

import pytest

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider
from support.request_bodies import answered, body, called, check, said, text


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("<p>a</p>\n<p>b</p>", None),
        ("<doc>x</doc> and more", None),
        ("<doc>x</doc>y</doc>", "PC675"),
        ("<doc a='1'>x</doc>y</doc>", "PC675"),
        ("<doc>a<doc>b</doc>c</doc>", None),
    ],
)
def test_an_envelope_is_broken_when_it_closes_more_often_than_it_opens(value: str, code: str | None) -> None:
    assert [c for c, _ in check(body(said("user", text(value))))] == ([code] if code else [])


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        ("```py\nx\n```", None),
        ("```py\nx\n```\nOutput:\n```text\ny\n```", None),
        ("````\n```\nx\n```\n````", None),
        ("```md\nDo:\n```\nx\n```\nend\n```", Severity.ERROR),
        ("```md\n```sh\nx\n```\nend\n```", Severity.ERROR),
        ("```py\nx\n```\nOutput\n```\ny\n```", Severity.WARNING),
    ],
)
def test_fences_that_end_early(value: str, severity: Severity | None) -> None:
    found = check_request(body(said("user", text(value))), provider("anthropic"))
    assert [severity_of(d) for d in found if d.code == "PC676"] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        ('{"a": {name}}', Severity.ERROR),
        ("Hello {{ user }}", Severity.ERROR),
        ("Hello {user}", Severity.WARNING),
        ("Use `{user}` as it stands", None),
        ("```\n{user}\n```", None),
        ("${HOME} and \\frac{a}{b}", None),
        ('{"a": {"b": 1}}', None),
    ],
)
def test_placeholders_that_were_not_filled_in(value: str, severity: Severity | None) -> None:
    found = check_request(body(said("user", "hi"), system=[text(value)]), provider("anthropic"))
    assert [severity_of(d) for d in found if d.code == "PC678"] == ([severity] if severity else [])


def test_half_a_pair_is_found_wherever_it_stands() -> None:
    request = body(
        said("user", "a"), said("assistant", {**called("t"), "input": {"k": ["\udc00"]}}), said("user", answered("t"))
    )
    assert check(request) == [("PC674", "/messages/1/content/0/input/k/0")]


def test_a_body_that_is_not_utf8_is_reported_with_its_byte() -> None:
    raw = b'{"messages": ["\xff"]}'
    found = check_request({"messages": ["?"]}, provider("anthropic"), raw)
    assert [(d.code, d.message) for d in found] == [("PC679", "byte 15 of the body is not UTF-8")]
