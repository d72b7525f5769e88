"""The support bot, written in YAML: three languages, two channels, no tools, and a variant for the telephone."""

import pytest

from support.specs import Prompt, codes, compile_spec, spec_text, the_only

SPEC = "support_bot/support_bot.promptc.yaml"
LANGUAGES = {"english": "# Language: English", "german": "# Language: German", "spanish": "# Language: Spanish"}


@pytest.fixture(scope="module")
def bot() -> Prompt:
    return Prompt(compile_spec(SPEC), "support_bot")


@pytest.fixture(scope="module")
def phone() -> Prompt:
    return Prompt(compile_spec(SPEC), "support_bot_phone")


def test_the_spec_is_clean() -> None:
    assert codes(compile_spec(SPEC)) == []


def test_six_prefixes_are_shared_by_everybody(bot: Prompt, phone: Prompt) -> None:
    """covers: A-10. Three languages times two channels; on the telephone there is one channel."""
    plan, spoken = (p.compilation.plans[p.name] for p in (bot, phone))
    assert [(b.scope, b.ttl, b.variants) for b in plan.blocks[:2]] == [("everyone", 3600, 6), ("shop", 3600, 6)]
    assert plan.blocks[2].scope == "conversation"
    assert spoken.blocks[0].variants == 3


def test_a_request_has_no_tools(bot: Prompt) -> None:
    assert "tools" not in bot.render("english_chat").request


@pytest.mark.parametrize("language", LANGUAGES)
def test_exactly_one_language_is_told(bot: Prompt, language: str) -> None:
    """covers: A-01. What stands in front of the language is the same for all three."""
    shared = bot.render("english_chat", answer_language=language).system[0]
    assert [name for name, heading in LANGUAGES.items() if heading in shared] == [language]
    english = bot.render("english_chat").system[0]
    assert shared.split("# Language")[0] == english.split("# Language")[0]


def test_letters_beyond_ascii_go_over_the_wire_as_they_are(bot: Prompt) -> None:
    body = bot.render("german_mail").body
    for text in ("Rücksendung", "4,90 €", "Jörg Tannhäuser", "Hollin & Reed, Köln"):
        assert text.encode() in body
    assert "¿ and ¡".encode() in bot.render("spanish_chat").body


def test_the_blocks_go_from_what_is_shared_most_to_what_is_shared_least(bot: Prompt) -> None:
    """covers: A-02. Two shops share the first block; two customers of a shop share the second as well."""
    one = bot.render("english_chat")
    shop = bot.render("english_chat", shop_name="Another shop")
    customer = bot.render("english_chat", customer_name=None, orders=[])
    assert shop.system[0] == one.system[0] and shop.system[1] != one.system[1]
    assert customer.system[:2] == one.system[:2] and customer.system[2] != one.system[2]
    assert [m["ttl"] for m in one.markers] == ["1h", "1h", "5m"]


def test_notices_and_orders_are_sorted(bot: Prompt) -> None:
    """covers: A-01. The order in which a host passes them does not reach the prefix."""
    inputs, _ = bot.samples["english_chat"]
    notices = inputs["notices"]
    assert isinstance(notices, list)
    assert bot.render("english_chat", notices=notices[::-1]).body == bot.render("english_chat").body
    assert bot.render("english_chat").system[1] == (
        "# This shop\n\nYou write for Hollin & Reed, Bath.\n\n"
        "Holidays: Closed from 24 December to 2 January; nothing is sent on these days.\n\n"
        "Opening hours: Monday to Saturday, nine to six."
    )


def test_orders_are_listed_with_their_notes(bot: Prompt) -> None:
    assert bot.render("german_mail").texts["known_orders"] == (
        "# Orders of this customer\n\nThese orders are known. Notes are the customer's own words.\n\n"
        "Order HR-30002, placed on 28. Februar, arrived: Rosenschere\nNote: Bitte beim Nachbarn abgeben."
    )
    assert bot.render("spanish_chat").system[2] == (
        "# Orders of this customer\n\nNo order is known. Ask for a number if one is needed."
    )


@pytest.mark.parametrize("sample", ["english_chat", "german_mail", "spanish_chat"])
def test_no_seam_is_wider_than_one_blank_line(bot: Prompt, sample: str) -> None:
    for text in bot.render(sample).system:
        assert "\n\n\n" not in text
        assert text == text.strip("\n")


def test_what_changes_during_the_day_is_told_at_the_tail(bot: Prompt) -> None:
    """covers: D-02. In the envelope that the spec declares."""
    first = bot.render("german_mail")
    assert first.message(0)[-1] == "<desk>\nA colleague is free and could take over within minutes.\n</desk>"
    talk = [*bot.samples["german_mail"][1], {"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}]
    second = bot.render("german_mail", talk, first.state, colleague_free=False)
    assert second.system == first.system
    assert second.message(0) == first.message(0)
    assert second.message(2)[1].startswith("<desk>\nNo colleague is free now.")


def test_the_telephone_has_another_form_and_the_same_rules(bot: Prompt, phone: Prompt) -> None:
    """An extending prompt replaces one section and removes two; all others keep their bytes."""
    spoken, written = phone.render("phone"), bot.render("english_chat")
    assert "spoken_form" in spoken.texts
    assert not {"chat_form", "mail_form", "examples"} & set(spoken.texts)
    same = ["role", "manner", "limits", "privacy", "orders_and_delivery", "returns_and_money", "in_english"]
    assert [spoken.texts[name] for name in same] == [written.texts[name] for name in same]
    assert list(spoken.texts)[6] == "spoken_form"


def test_a_customer_cannot_stand_before_the_rules() -> None:
    """covers: A-02. The same proof as for the other surface, with the place in the YAML text."""
    text = spec_text(SPEC)
    role = "          - include: role\n"
    moved = text.replace("          - include: customer\n", "").replace(role, "          - include: customer\n" + role)
    found = the_only(compile_spec(SPEC, {SPEC: moved}), "PC401")
    assert "`customer` is `@user` and stands before `role`, which is `@static`" in found.message
    assert found.primary is not None
    assert moved[found.primary.span.start : found.primary.span.end] == "customer"
