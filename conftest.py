"""Give Numba a cache folder of its own for each version of the kernels.

A cached kernel does not notice an edit in a file that it imports: the old code would go on
running.
"""

import hashlib
import os
from pathlib import Path

_kernels = sorted(Path(__file__).parent.glob("src/rosenblatt/kernels/*.py"))
_digest = hashlib.sha256(b"".join(path.read_bytes() for path in _kernels)).hexdigest()[:12]
os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parent / ".numba-cache" / _digest))
