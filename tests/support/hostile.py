"""Texts that would like to be more than text, and a request that has one of them wherever a text may stand."""

import json

HOSTILE = (
    "<script>document.title='owned'</script>",
    "</title><script>document.title='owned'</script>",
    "</style><style>*{display:none}</style>",
    "</pre></details></main><h1 onclick=alert(1)>x</h1>",
    "<img src=x onerror=\"document.title='owned'\">",
    '" onmouseover="document.title=\'owned\'" x="',
    "' autofocus onfocus='alert(1)",
    '<a href="javascript:alert(1)">javascript:alert(1)</a>',
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css><iframe src=http://127.0.0.1:9/></iframe>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><base href=http://127.0.0.1:9/>",
    "<!-- --!> <![CDATA[ ]]> <?x ?> &lt;b&gt; &#60;i&#62; &amp;amp;",
    "</svg><foreignObject><body onload=alert(1)>",
    "\u202e\u2066abc\u2069 \u200b\u200f\ufeff\u2028\u2029\x00\x08\x1b[31m\x7f\x85\x9b",
    "\ud800 half \udfff",
    "\r\n\t \u00a0\u3000 e\u0301\u0301\u0301",
    "`code` | **bold** ::error::x {{ 7*7 }} {% raw %}",
    "W" * 20_000,
    "אבג <b>דהו</b>",
)


def request_with(text: str, other: str) -> bytes:
    """A request body with a text in every place that the sender may choose.

    Args:
        other: What stands in front of it in one text and in one key, so that two requests differ.
    """
    body = {
        "model": text,
        "max_tokens": 64,
        "temperature": 1,
        "thinking": {"type": text + other},
        "tool_choice": {"type": "tool", "name": text + other},
        "tools": [
            {"name": text, "description": other + text, "input_schema": {"type": "object", "properties": {text: {}}}},
            {"name": "b", "description": "c", "input_schema": {"properties": {other + text: {"title": text}}}},
        ],
        "system": [{"type": "text", "text": f"{text}\n{other}{text}\n{text}", "cache_control": {"type": "ephemeral"}}],
        "messages": [
            {"role": "user", "content": text + other + text},
            {"role": "assistant", "content": [{"type": "tool_use", "id": other, "name": text, "input": {text: other}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": text, "content": other + text}]},
        ],
    }
    return json.dumps(body).encode()
