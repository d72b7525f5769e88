"""The Jinja2 environment of everything that promptc writes."""

from functools import cache

import jinja2

from promptc.assets import asset_dir


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(asset_dir("templates")),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # what is written here is code and JSON, never a page
        newline_sequence="\n",
    )


def render_template(name: str, **values: object) -> str:
    """Fill in one of promptc's own templates.

    Args:
        name: Path below `templates/`.
    """
    return _environment().get_template(name).render(**values)
