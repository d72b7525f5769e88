"""Two bodies decoded together give what each gives by itself, whatever they share."""

import json
import random

import pytest

from promptc.streams import json_pair
from promptc.streams.json_decode import decode_json
from promptc.streams.json_pair import decode_pair

BODY = (
    '{"model":"m","max_tokens":12,"messages":[{"role":"user","content":"first \\"é"},'
    ' {"role":"assistant","content":[{"type":"text","text":"second"}]} , 1, 12,[],{"k":[1.50,"x"]},"last"],"tools":[]}'
)
EDITS = (
    BODY,
    BODY.replace("first", "other"),
    BODY.replace("second", "2nd"),
    BODY.replace("last", "end"),
    BODY.replace("1, 12", "12, 12"),
    BODY.replace("1, 12", "1, 123"),
    BODY.replace('{"k":[1.50,"x"]},', ""),
    BODY.replace('"messages":[', '"messages":[{"role":"user","content":"new"},'),
    BODY.replace('"last"]', '"last",{"role":"user","content":"more"}]'),
    BODY.replace('"messages"', '"contents"'),
    BODY.replace(',"tools":[]', ',"tools":[1],"messages":[2]'),
    BODY.replace('"k":', '"k":1,"k":'),
    BODY.replace("second", "\\ud800"),
    BODY.replace("second", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")),
    BODY + "\n ",
    BODY[:-1],
    BODY[:40],
    BODY + "x",
    BODY.replace("12", "NaN"),
    BODY.replace('"last"', "[" * 300 + "]" * 300),
    "{}",
    "[]",
    " \n",
    "\ufeff" + BODY,
)


@pytest.fixture(autouse=True)
def every_size_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_pair, "MIN_BYTES", 0)


@pytest.mark.parametrize("a", EDITS)
def test_a_pair_is_what_each_is_alone(a: str) -> None:
    for b in EDITS:
        first, second = (a.encode(), "a.json"), (b.encode(), "b.json")
        assert decode_pair(first, second) == (decode_json(*first), decode_json(*second))


def test_random_edits_change_nothing_but_themselves() -> None:
    source = random.Random(7)
    messages = [{"role": "user", "content": f"turn {i} " + "x" * source.randrange(30)} for i in range(60)]
    for _ in range(200):
        other = list(messages)
        for _ in range(source.randrange(4)):
            at = source.randrange(len(other) + 1)
            match source.randrange(3):
                case 0:
                    other.insert(at, {"role": "user", "content": "new"})
                case 1 if at < len(other):
                    del other[at]
                case _ if at < len(other):
                    other[at] = {"role": "user", "content": f"changed {source.randrange(9)}"}
        spaces = source.choice([(",", ":"), (", ", ": ")])
        pair = [json.dumps({"model": "m", "messages": m}, separators=spaces).encode() for m in (messages, other)]
        named = (pair[0], "a.json"), (pair[1], "b.json")
        assert decode_pair(*named) == (decode_json(*named[0]), decode_json(*named[1]))


def test_what_both_have_is_decoded_once() -> None:
    other = BODY.replace("second", "2nd")
    (a, _), (b, _) = decode_pair((BODY.encode(), "a"), (other.encode(), "b"))
    assert isinstance(a, tuple) and isinstance(b, tuple)
    first, second = dict(a)["messages"], dict(b)["messages"]
    assert isinstance(first, list) and isinstance(second, list)
    assert [x is y for x, y in zip(first, second, strict=True)][:2] == [True, False]
    assert first[5] is second[5]
