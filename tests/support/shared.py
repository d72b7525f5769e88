"""Where the shared corpora and cases are, when they are there."""

import os
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]


def shared_folder(name: str) -> Path | None:
    """A folder of the shared material, None where this machine has none."""
    root = Path(os.environ.get("PROMPTC_SHARED", _CHECKOUT.parent / "shared"))
    folder = root / name
    return folder if folder.is_dir() else None
