"""How deep the values of JSON are nested: readers recurse, and deep ones end the process."""

from rosenblatt.kernels.compiler import kernel

QUOTE, BACKSLASH, NEWLINE = 34, 92, 10
BRACKETS, BRACES = (91, 93), (123, 125)


@kernel
def place_too_deep(text, limit):
    """Return where more than `limit` brackets and braces are open, -1 if nowhere.

    No string goes on in the next line: readers refuse that, and may begin anew there.
    """
    depth, in_string, p = 0, False, 0
    while p < text.shape[0]:
        byte = text[p]
        if byte == NEWLINE:
            in_string = False
        elif in_string:
            if byte == QUOTE:
                in_string = False
            elif byte == BACKSLASH and p + 1 < text.shape[0] and text[p + 1] != NEWLINE:
                p += 1
        elif byte == QUOTE:
            in_string = True
        elif byte == BRACKETS[0] or byte == BRACES[0]:
            depth += 1
            if depth > limit:
                return p
        elif byte == BRACKETS[1] or byte == BRACES[1]:
            depth -= 1
        p += 1
    return -1
