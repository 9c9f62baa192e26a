"""From scores to probabilities and answers, by scores of rows that the weights have not seen."""
