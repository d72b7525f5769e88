"""What all tests share: the flag that rewrites golden files."""

import os

import pytest
from hypothesis import settings

# The suite asks the same questions every time; the nightly form asks new ones.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.register_profile("nightly", deadline=None)
settings.load_profile("nightly" if os.environ.get("PROMPTC_NIGHTLY") else "suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--update`."""
    parser.addoption("--update", action="store_true", help="rewrite golden files with what is produced now")


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be rewritten."""
    return bool(request.config.getoption("--update"))
