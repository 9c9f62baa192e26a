"""Words weighed, as section 10b has it: plain Python over {column: count} of each text."""

from math import log, sqrt


def document_counts(rows):
    """Return how many rows have each column."""
    found = {}
    for row in rows:
        for column in row:
            found[column] = found.get(column, 0) + 1
    return found


def weighed(row, n_documents, documents, counts):
    """Return the row weighed, and of length 1."""
    weights = {}
    for column, count in row.items():
        n = documents.get(column, 0)
        idf = log((1 + n_documents) / (1 + n)) + 1 if n else 0.0  # nothing is known of it
        weights[column] = (1 + log(count) if counts else 1) * idf
    length = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {column: weight / length for column, weight in weights.items()}
