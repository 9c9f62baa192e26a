"""The mail filter in plain Python: evidence of words, a perceptron with a margin."""

from math import log, sqrt

SMOOTHING, MARGIN = 0.1, 10.0


def evidence(word, messages):
    """Return the log-ratio of the word's shares in spam and ham; 0 for a word never seen."""
    spam = [words for words, label in messages if label == 1]
    ham = [words for words, label in messages if label == 0]
    s, h = sum(word in words for words in spam), sum(word in words for words in ham)
    if s == h == 0:
        return 0.0
    share_of_spam = (s + SMOOTHING) / (len(spam) + 2 * SMOOTHING)
    share_of_ham = (h + SMOOTHING) / (len(ham) + 2 * SMOOTHING)
    return log(share_of_spam) - log(share_of_ham)


def signed(steps, messages):
    """Return the steps, those of ham negative."""
    return [s * (1 if label else -1) for s, (_, label) in zip(steps, messages, strict=True)]


def score(words, messages, steps):
    """Return the score of a message by one perceptron; messages are (words, label)."""
    total = 0.0
    for word in words:
        u = sum(
            step / sqrt(len(known))
            for (known, _), step in zip(messages, signed(steps, messages), strict=True)
            if word in known
        )
        total += evidence(word, messages) ** 2 * u / sqrt(len(words))
    return total


def witness(messages, is_head):
    """Return the messages with the words of the letterhead only, or of the text only."""
    return [([w for w in words if (":" in w) == is_head], label) for words, label in messages]


def places(letters, secret):
    """Return the different places of the windows of 4 bytes."""
    windows = {letters[k : k + 4] for k in range(len(letters) - 3)}
    return sorted({int.from_bytes(w, "little") * secret % 2**32 // 2**16 for w in windows})


def pass_on(messages, order, steps, times, clock):
    """One pass of the perceptron with a margin; returns the clock."""
    for i in order:
        clock += 1
        words, label = messages[i]
        if (1 if label else -1) * score(words, messages, steps) <= MARGIN:
            steps[i] += 1
            times[i] += clock
    return clock
