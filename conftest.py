"""Let scikit-learn's estimator checks run in full: the array API check needs SciPy's switch."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")
