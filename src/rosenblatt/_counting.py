"""Numbers with what they count, in the singular or the plural."""


def counted(n: float, what: str, form: str = "") -> str:
    """Return a number, written in a form, with its noun: one feature, but two features.

    Examples
    --------
    >>> counted(1, "feature"), counted(0, "feature"), counted(1200, "class", ",")
    ('1 feature', '0 features', '1,200 classes')
    """
    return f"{n:{form}} {what if n == 1 else plural(what)}"


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
