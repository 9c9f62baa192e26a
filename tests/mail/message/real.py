"""The SpamAssassin corpus, out of its archive."""

import tarfile
from functools import cache

from tests.data.files import shared


@cache
def real_mails():
    """Return (folder, bytes) of the 6,046 mails; skip the test where they are absent."""
    archive = shared("spamassassin/spamassassin-raw.tar.xz")
    with tarfile.open(archive) as tar:
        files = [member for member in tar if member.isfile()]
        return [(file.name.split("/")[0], tar.extractfile(file).read()) for file in files]
