"""The one error of an assembler: something that its caller passed does not fit the program."""


class InputError(ValueError):
    """Something that the caller passed cannot be used.

    Attributes:
        where: What it is: `cwd`, `tools[3].name`, `messages[0].content`, `state`, `require`.
        reason: Why it cannot be used, in a few words.
    """

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason
