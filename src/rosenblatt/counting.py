"""Numbers with what they count, in the singular or the plural."""

MOST_DIGITS = 12  # of a number that is read at a glance


def counted(n: float, what: str, form: str = "") -> str:
    """Return a number, written in a form, with its noun: one feature, but two features.

    Examples
    --------
    >>> counted(1, "feature"), counted(0, "feature"), counted(1200, "class", ",")
    ('1 feature', '0 features', '1,200 classes')
    """
    return f"{n:{form}} {what if n == 1 else plural(what)}"


def at_most(n: int, what: str) -> str:
    """Return a bound with its noun: in full, or as a power of ten that is not below it.

    Examples
    --------
    >>> at_most(1, "update"), at_most(218204382, "update"), at_most(14459289769414873, "update")
    ('1 update', '218,204,382 updates', '1.446e16 updates')
    """
    digits = len(str(n))
    if digits <= MOST_DIGITS:
        return counted(n, what, ",")
    up = -(-n // 10 ** (digits - 4))  # four digits, rounded up
    if up == 10_000:
        up, digits = 1000, digits + 1
    return f"{up // 1000}.{up % 1000:03}e{digits - 1} {plural(what)}"


def plural(what: str) -> str:
    """Return the plural of a regular noun.

    Examples
    --------
    >>> plural("pass"), plural("batch"), plural("epoch"), plural("category"), plural("day")
    ('passes', 'batches', 'epochs', 'categories', 'days')
    """
    if what.endswith(("s", "x", "tch", "sh")):
        return f"{what}es"
    if what.endswith("y") and what[-2] not in "aeiou":
        return f"{what[:-1]}ies"
    return f"{what}s"
