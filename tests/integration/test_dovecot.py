"""docs/mail-imap.md, as it stands, with Debian's Dovecot and mbsync on loopback.

Run by `make integration`: it needs packages that are not Python's.
"""

import contextlib
import getpass
import grp
import imaplib
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from rosenblatt.mail.filter.file import read_memory
from tests.cli.running import run
from tests.mail.filter.mails import mail, write_boxes

PAGE = Path(__file__).parents[2] / "docs" / "mail-imap.md"
PATIENCE = 60  # seconds for anything here
SETTINGS = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 0
first_valid_gid = 0
ssl = no
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/home/%u
}}
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    auto = subscribe
  }}
  mailbox Trash {{
    auto = subscribe
  }}
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
}}
service anvil {{
  chroot =
}}
"""

pytestmark = pytest.mark.integration


def block(begin):
    """Return the block of the page that begins so."""
    found = re.search(
        rf"(?:^|\n\n)((?:    {re.escape(begin)}.*\n)(?:(?:    .*)?\n)*)", PAGE.read_text()
    )
    assert found is not None, begin
    return "\n".join(line[4:] for line in found[1].rstrip().split("\n")) + "\n"


def write_program(path, content):
    path.write_text(content)
    path.chmod(0o755)


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Make a folder with the command in it, and the rest of the path of a shell."""
    folder = tmp_path_factory.mktemp("bin")
    write_program(folder / "rosenblatt", f'#!/bin/sh\nexec {sys.executable} -m rosenblatt "$@"\n')
    return f"{folder}:/usr/bin:/bin"


class Server:
    """A Dovecot of our own, with the settings of the page."""

    def __init__(self, folder, programs):
        self.folder, self.password = folder, secrets.token_hex(8)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        sieve = folder / "sieve"
        for place in (sieve, folder / "home"):
            place.mkdir()
        # all parts of the server are ours; root, whom Dovecot serves no mail, is `mail` to it
        is_root = os.geteuid() == 0
        user = "mail" if is_root else getpass.getuser()
        group = "mail" if is_root else grp.getgrgid(os.getgid()).gr_name
        self.as_user = ["unshare", "--user", "--map-user=mail", "--map-group=mail"] * is_root
        settings = SETTINGS.format(
            folder=folder, user=user, group=group, password=self.password, port=self.port
        )
        more = block("protocol imap {").replace("/etc/dovecot/sieve", str(sieve))
        (folder / "dovecot.conf").write_text(settings + more)
        (sieve / "learn-spam.sieve").write_text(
            block('require ["vnd.dovecot.pipe", "copy", "imapsieve"]')
        )
        (sieve / "learn-ham.sieve").write_text(
            block('require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment"')
        )
        # the environment of a service does not have our path
        learn = block("#!/bin/sh\n    # rosenblatt-learn")
        write_program(sieve / "rosenblatt-learn", learn.replace("\n", f"\nPATH={programs}\n", 1))

    @contextlib.contextmanager
    def running(self):
        self.folder.joinpath("log").touch()
        settings = str(self.folder / "dovecot.conf")
        command = [*self.as_user, "/usr/sbin/dovecot", "-F", "-c", settings]
        with subprocess.Popen(command) as work:
            try:
                wait_for(lambda: self.is_there() or work.poll() is not None, self.log)
                yield self
            finally:
                work.terminate()
                work.wait(PATIENCE)

    def is_there(self):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def log(self):
        return (self.folder / "log").read_text()

    @contextlib.contextmanager
    def client(self, user):
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=PATIENCE) as client:
            client.login(user, self.password)
            yield client


def wait_for(is_so, why):
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, why()
        time.sleep(0.05)


@pytest.fixture(scope="module")
def server(programs):
    # a short name: that of a socket has at most 108 letters
    with (
        tempfile.TemporaryDirectory(prefix="dovecot-") as name,
        Server(Path(name), programs).running() as server,
    ):
        yield server


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = write_boxes(tmp_path_factory.mktemp("mail"))
    boxes = ["--spam", folder / "spam.mbox", "--ham", folder / "ham.mbox"]
    assert run("mail", "train", *boxes, "-o", folder / "mail.rosenblatt").code == 0
    return folder / "mail.rosenblatt"


def move(client, source, target, subject):
    """Move the message with a subject, as a mail program does."""
    assert client.select(source)[0] == "OK"
    numbers = client.search(None, "SUBJECT", f'"{subject}"')[1][0].split()
    assert len(numbers) == 1, (source, subject, numbers)
    assert client._simple_command("MOVE", numbers[0].decode(), target)[0] == "OK"
    client.close()


def subjects(client, box):
    assert client.select(box, readonly=True)[0] == "OK"
    found = client.fetch("1:*", "(BODY.PEEK[HEADER.FIELDS (SUBJECT)])")[1]
    client.close()
    return sorted(
        part[1].decode().split(":", 1)[1].strip()
        for part in found
        if part is not None and len(part) > 1
    )


def message(kind, seed, subject):
    return re.sub(rb"Subject: .*", b"Subject: " + subject.encode(), mail(kind, seed))


def counts(model):
    memory = read_memory(model)
    return memory.n_spam, memory.n_ham


def test_moves_teach_the_filter(server, trained):
    home = server.folder / "home" / "ann"
    home.mkdir()
    model = home / "mail.rosenblatt"
    shutil.copy(trained, model)
    before = model.read_bytes()
    with server.client("ann") as client:
        client.append("INBOX", None, None, message("spam", 50, "an offer"))
        client.append("INBOX", None, None, message("ham", 51, "a patch"))
        assert counts(model) == (20, 20)
        move(client, "INBOX", "Junk", "an offer")
        assert counts(model) == (21, 20), server.log()
        move(client, "Junk", "Trash", "an offer")
        assert counts(model) == (21, 20), server.log()
        move(client, "INBOX", "Junk", "a patch")
        assert counts(model) == (22, 20), server.log()
        move(client, "Junk", "INBOX", "a patch")  # and what it had taught is taken back
        assert counts(model) == (21, 21), server.log()
        assert subjects(client, "INBOX") == ["a patch"]
        assert subjects(client, "Trash") == ["an offer"]
    assert model.read_bytes() != before


def test_who_has_an_account_alone_fetches_files_and_learns(server, programs, tmp_path):
    home, user = tmp_path / "home", "bob"
    home.mkdir()
    (home / "Maildir").mkdir()
    account = block("IMAPAccount mine")
    for old, new in (
        ("Host imap.example.org", f"Host 127.0.0.1\nPort {server.port}"),
        ("User me", f"User {user}"),
        ('PassCmd "pass show mail"', f"Pass {server.password}"),
        ("SSLType IMAPS", "SSLType None"),
    ):
        assert old in account
        account = account.replace(old, new)
    (home / ".mbsyncrc").write_text(account)
    write_program(home / "rosenblatt-imap", block("#!/bin/sh\n    # rosenblatt-imap"))
    model = home / "mail.rosenblatt"

    def synced():
        environment = {"HOME": str(home), "PATH": programs}
        done = subprocess.run(
            [home / "rosenblatt-imap"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    with server.client(user) as client:
        for k in range(20):
            client.append("Junk", None, None, mail("spam", k))
            client.append("INBOX", None, None, mail("ham", k))
        synced()
        assert counts(model) == (20, 20)
        assert (len(subjects(client, "Junk")), len(subjects(client, "INBOX"))) == (20, 20)

        # new mail is judged, and spam is filed on the server
        client.append("INBOX", None, None, message("spam", 60, "caught"))
        client.append("INBOX", None, None, message("spam", 63, "thrown away"))
        client.append("INBOX", None, None, message("ham", 61, "wanted"))
        forged = b"X-Rosenblatt: spam; score=1\r\nX-Rosenblatt-Filed: 00\r\n"
        client.append("INBOX", None, None, forged + message("ham", 62, "forged"))
        synced()
        assert {"caught", "thrown away"} <= set(subjects(client, "Junk"))
        inbox = subjects(client, "INBOX")
        assert "caught" not in inbox
        assert {"wanted", "forged"} <= set(inbox)
        assert counts(model) == (20, 20)

        # what is moved by hand teaches, once; but to Trash, nothing
        move(client, "Junk", "Trash", "thrown away")
        move(client, "INBOX", "Junk", "wanted")
        synced()
        assert counts(model) == (21, 20)
        move(client, "Junk", "INBOX", "wanted")
        move(client, "Junk", "INBOX", "caught")
        synced()
        assert counts(model) == (20, 22)
        synced()
        assert counts(model) == (20, 22)
        assert {"wanted", "caught", "forged"} <= set(subjects(client, "INBOX"))
        assert len(subjects(client, "Junk")) == 20

        client.select("INBOX", readonly=True)
        text = b"".join(
            part[1] for part in client.fetch("1:*", "(BODY.PEEK[])")[1] if len(part) > 1
        )
        stamp = (home / ".rosenblatt-filed").read_bytes()
        assert len(stamp) == 32
        assert stamp not in text
