"""Characters that a reader cannot see or that turn text around: what written files hold as escapes.

The set is fixed here, and not asked of the language's own tables, which change from version to version: the same text
must be written the same way by any of them.
"""

import re

# Controls, soft hyphen, zero-width and direction marks, separators, interlinear and tag characters, surrogates.
UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
FIND_UNSEEN = re.compile(f"[{UNSEEN}\u00a0\u1680\u2000-\u200a]")
