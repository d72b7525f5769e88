"""How a target spells its format: the facts of a provider as the part of a program that writers read."""

import json
from typing import Literal

from promptc.ir.form import PLAIN_FORM, MarkerForm, WireForm
from promptc.providers.model import Provider, SystemRole, model_matches


def wire_form(found: Provider, model: str | None, *, marked: bool) -> WireForm:
    """The form of a target.

    Args:
        found: Its facts.
        model: The model where the spec names one.
        marked: Whether the program places any marker.
    """
    members: list[tuple[str, str]] = []
    for constant in found.feature("body_constants") or ():
        name, _, value = constant.partition("=")
        members.append((name, json.dumps(value)))
    options = found.feature("options_field")
    if marked and found.marks_alone:
        # Left alone, the service ends one more prefix at the newest message, volatile as it may be.
        members.append((options, json.dumps({"mode": "explicit"}, separators=(",", ":"))))
    return WireForm(
        constants=tuple(members),
        model_in_body=not found.feature("model_outside_body"),
        limit_field=found.feature("limit_field") or PLAIN_FORM.limit_field,
        marker=_marker(found),
        turns=_turns(found, model),
        role=found.system_role.roles[0],
        key_field=found.key_field() or "",
    )


def _marker(found: Provider) -> MarkerForm | None:
    marker = found.marker
    if marker is None:
        return None
    # The parts of a Messages conversation are many, and all but a few take a marker.
    carriers = () if found.format == "anthropic-messages" else marker.may_carry.value
    return MarkerForm(marker.field, marker.place == "block", marker.type_key, marker.types.value[0], carriers)


def _turns(found: Provider, model: str | None) -> Literal["any", "mid", "never"]:
    role = found.system_role
    where = role.in_messages.value
    # A place at the head only is that of the system lane; a conversation has none.
    if where == "leading" or (where == "mid" and not _known(model, role)):
        return "never"
    return where


def _known(model: str | None, role: SystemRole) -> bool:
    """Whether a model takes system messages in a conversation, or may do so: many specs leave the model open."""
    return model is None or role.models is None or model_matches(model, role.models.value)
