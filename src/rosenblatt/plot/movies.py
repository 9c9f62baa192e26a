"""Pictures one after the other, as an animated GIF."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from rosenblatt._parameters import check_count, check_positive
from rosenblatt.errors import DataError, ParameterError

N_COLORS = 256


def animate(
    frames: Iterable[Figure],
    path: str | Path,
    *,
    seconds_per_frame: float = 0.4,
    last_repeats: int = 4,
) -> Path:
    """Write figures as an animated GIF that starts over at the end.

    Parameters
    ----------
    frames : iterable of matplotlib.figure.Figure
        Figures of one size; a generator is drawn one by one and never held as a whole.
    path : str or pathlib.Path
        The file to write; it is written when all frames are drawn.
    seconds_per_frame : float, default=0.4
        How long each frame is shown.
    last_repeats : int, default=4
        How many times longer the last one is shown.

    Returns
    -------
    pathlib.Path
        The file.

    Examples
    --------
    >>> import tempfile
    >>> from rosenblatt.plot import animate, plane
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [-1, -1, -1, 1]
    >>> steps = [[-0.5, 1, 0], [-1.5, 1, 1]]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = animate((plane(X, y, g=w) for w in steps), f"{folder}/and.gif")
    ...     path.read_bytes()[:6]
    b'GIF89a'
    """
    if Path(path).suffix.lower() != ".gif":
        raise ParameterError(
            f"must end with .gif, for a GIF is written, got {str(path)!r}", about="path"
        )
    whole = gif(frames, seconds_per_frame=seconds_per_frame, last_repeats=last_repeats)
    target = Path(path)
    target.write_bytes(whole)
    return target


def gif(
    frames: Iterable[Figure], *, seconds_per_frame: float = 0.4, last_repeats: int = 4
) -> bytes:
    """Return what `animate` writes."""
    check_positive(seconds_per_frame=seconds_per_frame)
    check_count(last_repeats=last_repeats)
    images: list[Any] = []
    for figure in frames:
        image = _draw(figure)
        if images and image.size != images[0].size:
            raise DataError(f"frames must be of one size, got {images[0].size} and {image.size}")
        images.append(image)
    if not images:
        raise DataError("there are no frames to write")
    shown = [round(1000 * seconds_per_frame)] * len(images)
    shown[-1] *= last_repeats
    whole = BytesIO()
    images[0].save(
        whole, format="GIF", save_all=True, append_images=images[1:], duration=shown, loop=0
    )
    return whole.getvalue()


def _draw(figure: Figure) -> Any:
    """Return the figure as an image of few colours: a third of the memory of the full ones.

    By an octree: the median cut that Pillow uses by default loses the colour of a single point.
    """
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[..., :3]
    image = Image.fromarray(np.ascontiguousarray(pixels))
    return image.quantize(N_COLORS, method=Image.Quantize.FASTOCTREE)
