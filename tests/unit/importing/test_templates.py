"""What single constructs of the template languages become."""

import jinja2
import pytest

from promptc.importing.jinja import JinjaOptions
from promptc.importing.run import Options
from support.imports import codes, compiled, imported, messages, spec_of, system_text

_ROWS = [{"title": "one", "note": ""}, {"title": "two", "note": "n"}]
_VALUES = {"rows": _ROWS, "name": "Ada", "empty": "", "count": 3, "on": True, "user": {"name": "Bo", "age": 7}}

# Each is rendered by Jinja2 with its default settings, and must give the same bytes from the imported spec.
_TEMPLATES = (
    "Rows:\n{% for row in rows %}\n- {{ row.title }}\n{% endfor %}\nEnd.",
    "Rows:{%- for row in rows %}\n* {{ row.title }}: {{ row.note or '-' }}\n{%- endfor %}\n\nEnd.",
    "{% if on %}On{% else %}Off{% endif %}, {{ name }}.\n  {% if on %}\n  indented\n  {% endif %}\nEnd.",
    "{{ count + 1 }} {{ count * 2 }} {{ count // 2 }} {{ count % 2 }} {{ 'a' ~ count }} {{ name + '!' }}",
    "{{ name | upper }} {{ name | lower | replace('a', 'o') }} {{ rows | length }} {{ name | trim }}",
    "{% set who = name %}{{ who }} and {{ who }}\n{% raw %}{{ raw }}{% endraw %} {{ '{{' }} x",
    "{% for row in rows if row.note != '' %}{{ loop.index }}/{{ loop.length }} {{ row.title }}{% else %}none{% endfor %}",
    "{% if user %}{{ user.name }} is {{ user.age }}{% if user.age > 5 and on %}, old{% endif %}.{% endif %}",
    "{{ 'yes' if on else 'no' }}{{ on }} {{ empty or name or 'x' }} {% if name == none %}a{% elif empty %}b{% else %}c{% endif %}",
    "a\n\n\n{% if on -%}\n\n b\n\n{%- endif %}\n\n\nc {# d #} e\n{# f #}\ng",
    "  {{ name }}\n\t{% if on %}\t{% endif %}\nx{% if on %}\n{% endif %}{% if on %}\n{% endif %}y",
    '{"a": {"b": {}}} {a} {{ name }}{b} {% if on %}{ {% endif %} %} }} #}',
)


@pytest.mark.parametrize("template", _TEMPLATES)
@pytest.mark.parametrize("cut", [False, True])
def test_a_template_gives_the_bytes_of_jinja2(template: str, cut: bool) -> None:
    expected = jinja2.Environment(trim_blocks=cut, lstrip_blocks=cut).from_string(template).render(_VALUES)
    options = Options(jinja=JinjaOptions(cut, cut))
    spec = spec_of("system.j2", template, options=options)
    assert system_text(spec, _VALUES).strip() == expected.strip()


def test_a_value_that_may_be_absent_is_written_only_where_it_is_there() -> None:
    spec = spec_of("system.j2", "Hi {{ name }}.{% if name is defined %} Dear {{ name }}.{% endif %}")
    assert "input name : text? @session" in spec
    assert system_text(spec, {}) == "Hi ."
    assert system_text(spec, {"name": "Ada"}) == "Hi Ada. Dear Ada."


def test_a_record_that_is_tested_before_use_may_be_absent() -> None:
    spec = spec_of("system.j2", "x{% if user and user.name %}{{ user.name }}{% endif %}")
    assert "input user : User? @session" in spec
    assert system_text(spec, {}) == "x"


def test_a_record_that_is_used_untested_is_always_there() -> None:
    spec = spec_of("system.j2", "{{ user.name }}{% if user %}!{% endif %}")
    assert "input user : User @session" in spec


def test_what_a_body_cannot_compute_in_a_loop_is_a_field_of_the_element() -> None:
    found = imported("a.j2", "{% for t in tools %}{{ t.run(1) }}{% endfor %}{{ now() }}")
    assert found.spec is not None
    assert "run_1 : text" in found.spec.dsl and "input now : text" in found.spec.dsl
    assert len(messages(found, "PC945")) == 2


def test_a_value_of_the_loop_itself_is_left_out() -> None:
    found = imported("a.j2", "x{% for t in tools %}{{ loop.cycle('a', 'b') }}{{ t }}{% endfor %}")
    assert messages(found, "PC944") == ["`loop.cycle('a', 'b')` is not carried over: a body calls nothing"]


def test_a_mapping_is_a_list_of_records() -> None:
    spec = spec_of("a.j2", "{% if m %}{% for k, v in m.items() %}{{ k }}={{ v }};{% endfor %}{% endif %}")
    assert system_text(spec, {"m": [{"k": "a", "v": "b"}]}) == "a=b;"


def test_handlebars_lines_of_one_tag_vanish_and_contexts_are_followed() -> None:
    text = '{{role "system"}}\nA\n{{#each rows}}\n  {{#if @first}}\nfirst {{title}} of {{../name}}\n  {{else}}\nthen {{this.title}}\n  {{/if}}\n{{/each}}\nB\n'
    spec = spec_of("a.prompt", text)
    assert system_text(spec, _VALUES) == "A\nfirst one of Ada\nthen two\nB"


def test_handlebars_trims_escapes_and_chains() -> None:
    text = '{{role "system"}}a  {{~name~}}  b \\{{name}} {{#if empty}}x{{else if on}}y{{else}}z{{/if}}{{#unless on}}u{{/unless}}'
    spec = spec_of("a.prompt", text)
    assert system_text(spec, _VALUES) == "aAdab {{name}} y"


def test_names_with_other_signs_are_changed_and_said() -> None:
    found = imported("a.prompt", "Dear {{first-name}} of {{user.home-town}}")
    assert [d for d in codes(found) if d == "PC952"]
    assert found.spec is not None and "first_name" in found.spec.dsl and "home_town" in found.spec.dsl


def test_an_f_string_is_text_with_names_and_single_braces() -> None:
    spec = spec_of("a.txt", 'Dear {name}, {{"a": {{}}}} {name}')
    assert system_text(spec, {"name": "Ada"}) == 'Dear Ada, {"a": {}} Ada'


def test_every_seam_that_would_fall_is_pinned() -> None:
    text = '[{"role": "system", "content": "In {{ a }}."}, {"role": "system", "content": "Be kind."}]'
    spec = spec_of("a.json", text)
    assert 'section system @session pin "imported order"' in spec
    compiled(spec)


def test_a_file_of_no_known_format_is_said() -> None:
    assert codes(imported("notes.rst", "Nothing here.")) == ["PC940"]


def test_the_format_may_be_named() -> None:
    spec = spec_of("notes.rst", "Dear {{ name }}.", options=Options(format="jinja"))
    assert "input name : text" in spec


def test_the_target_may_be_named() -> None:
    found = imported("a.j2", "Hello.", options=Options(target="vertex-claude"))
    assert found.spec is not None and "target vertex_claude\n" in found.spec.dsl
    assert "PC947" not in codes(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.j2", "{% if a %}x"),
        ("a.j2", "x{% endfor %}"),
        ("a.j2", "x{{ a "),
        ("a.prompt", "{{#if a}}x"),
        ("a.prompt", "x{{/if}}"),
        ("a.prompty", "---\nname: a\nx"),
        ("a.poml", "<poml><p>x</poml>"),
        ("a.poml", "<poml>&unknown;</poml>"),
        ("a.json", '{"port": 80}'),
    ],
)
def test_what_breaks_the_rules_of_its_format_is_refused_at_its_place(name: str, text: str) -> None:
    found = imported(name, text)
    assert found.spec is None
    assert codes(found)[0] == "PC941"
