"""The formats that a program can be interpreted for, by name."""

from collections.abc import Mapping

from promptc.ir.wires.anthropic_messages import ANTHROPIC_MESSAGES
from promptc.ir.wires.bedrock_converse import BEDROCK_CONVERSE
from promptc.ir.wires.dialect import Dialect
from promptc.ir.wires.gemini_generate import GEMINI_GENERATE
from promptc.ir.wires.openai_chat import OPENAI_CHAT
from promptc.ir.wires.openai_responses import OPENAI_RESPONSES

DIALECTS: Mapping[str, Dialect] = {
    "anthropic-messages": ANTHROPIC_MESSAGES,
    "bedrock-converse": BEDROCK_CONVERSE,
    "openai-chat": OPENAI_CHAT,
    "openai-responses": OPENAI_RESPONSES,
    "gemini-generate": GEMINI_GENERATE,
}
