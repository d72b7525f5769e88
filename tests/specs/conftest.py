"""The prompts of the coding agent, compiled and emitted once a module."""

import pytest

from support.specs import Prompt, compile_spec


@pytest.fixture(scope="module")
def agent() -> Prompt:
    return Prompt(compile_spec("coding_agent/agent.promptc"), "coding_agent")


@pytest.fixture(scope="module")
def third_party() -> Prompt:
    return Prompt(compile_spec("coding_agent/agent.promptc"), "coding_agent_third_party")
