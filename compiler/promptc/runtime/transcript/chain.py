"""Choose what counts: the leaf, its parents, and what the last compaction left of them."""

from collections.abc import Sequence

from promptc.runtime.errors import InputError
from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import Record, Transcript


def chosen_chain(transcript: Transcript, decisions: list[Decision]) -> list[Record]:
    """The records from the beginning of the conversation to its leaf, following parents (C-01).

    Raises:
        InputError: The leaf is not in the transcript.
    """
    leaf = _leaf(transcript)
    chain: list[Record] = []
    seen: set[str] = set()
    current = leaf
    while current is not None:
        chain.append(current)
        seen.add(current.id)
        if current.parent is None:
            break
        above = transcript.records.get(current.parent)
        if above is None:
            decisions.append(Decision("parent-missing", "", f"`{current.id}` follows a record that is not there"))
        elif above.id in seen:
            decisions.append(Decision("parents-circle", "", f"`{current.id}` follows what comes after it"))
            above = None
        current = above
    chain.reverse()
    return chain


def _leaf(transcript: Transcript) -> Record | None:
    if transcript.leaf is not None:
        found = transcript.records.get(transcript.leaf)
        if found is None:
            raise InputError("transcript.leaf", f"`{transcript.leaf}` is not in the transcript")
        return found
    followed: set[str] = set()
    for record in transcript.records.values():
        # What was taken back follows nothing, but what follows it does.
        above = None if record.gone else record.parent
        while above is not None and above not in followed and above in transcript.records:
            followed.add(above)
            above = transcript.records[above].parent
    ends = [r for r in transcript.records.values() if r.id not in followed and not r.gone]
    return max(ends, key=lambda record: (record.at, record.id), default=None)


def after_boundary(
    chain: Sequence[Record], transcript: Transcript, decisions: list[Decision]
) -> tuple[Record | None, list[Record]]:
    """The last valid boundary and what counts behind it: what it preserves, then what followed (C-02).

    A boundary without a summary is not valid: the compaction failed, and everything in front of it still counts.
    """
    for at in range(len(chain) - 1, -1, -1):
        boundary = chain[at]
        if boundary.kind != "boundary" or boundary.gone:
            continue
        if not boundary.content:
            decisions.append(Decision("boundary-skipped", "", f"`{boundary.id}` has no summary"))
            continue
        kept = []
        for name in boundary.preserved:
            found = transcript.records.get(name)
            if found is None:
                decisions.append(Decision("preserved-missing", "", f"`{boundary.id}` preserves `{name}`"))
            elif found.kind == "message" and not found.gone:
                kept.append(found)
        behind = {record.id for record in chain[at + 1 :]}
        return boundary, [*(r for r in kept if r.id not in behind), *chain[at + 1 :]]
    return None, list(chain)


def spoken(records: Sequence[Record]) -> list[Record]:
    """Without what never reaches a model: events, attachments' own records, what was superseded (C-04)."""
    return [record for record in records if record.kind == "message" and not record.gone]
