"""How much of a message is looked at: mail comes from anyone, and may be made to hurt.

What is beyond a limit is not read; that something was is a feature of the message.
"""

MESSAGE = 10 << 20  # bytes of a message
HEAD = 1 << 20  # bytes of its headers, and of those of each part
LINE = 64 << 10  # bytes of one header, unfolded
HEADERS = 1000  # headers of a message
LEVELS = 50  # parts inside of parts
PARTS = 500
HTML = 1 << 20  # characters of HTML in a message
LINKS = 200  # of a message that are looked at
GROWTH = 100  # times the size of a packed file
UNPACKED = 1 << 30  # bytes of a packed file
