"""Find the files that ship with promptc: grammars, templates, code pages."""

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
# In a wheel the assets lie inside the package; in a checkout they are top-level folders.
_CHECKOUT = {"grammar": "grammar", "templates": "templates", "codes": "docs/codes"}


@cache
def asset_dir(kind: str) -> Path:
    """Return the folder of one kind of asset.

    Args:
        kind: `grammar`, `templates` or `codes`.

    Raises:
        FileNotFoundError: The installation is broken; neither place holds the folder.
    """
    installed = _PACKAGE / "_assets" / kind
    if installed.is_dir():
        return installed
    checkout = _PACKAGE.parents[1] / _CHECKOUT[kind]
    if checkout.is_dir():
        return checkout
    raise FileNotFoundError(f"promptc's own {kind!r} folder is missing; the installation is broken")
