"""The walls around a player's program: user, PID, mount, network and IPC namespaces of its own (Linux).

Part of the supervisor's script: nothing but the standard library. `enclose` is called in the supervisor, whose next child
is process 1 of the new PID namespace and calls `furnish` there. The program is that process's child: it sees no process
but its own, and has no way to stop or kill process 1.

A view is text, a line for each thing, its words separated by tabs:

    size BYTES          of the scratch file system: /tmp and /dev/shm
    read PATH SOURCE    a file or folder that is there, and can be read; outside it is at SOURCE, a path without links
    link PATH TARGET    a symbolic link
    own PATH            an empty folder that can be written; what is written there goes to the scratch file system
    copy PATH SOURCE    a copy of a file; of the lines that follow, those that name a place in a folder furnish that folder
    hide PATH           a file that is there, and empty
    empty PATH          an empty file
    folder PATH         an empty folder
    chdir PATH          where the program starts
"""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_MS_BIND, _MS_REC, _MS_PRIVATE, _MNT_DETACH = 4096, 16384, 1 << 18, 2
_SYS_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41, "ppc64le": 203, "s390x": 217}
_SYS_MOUNT_SETATTR = 442  # on every architecture
_AT_RECURSIVE, _ATTR_RDONLY, _ATTR_NOSUID = 0x8000, 1, 2
_PR_CAPBSET_DROP, _PR_SET_SECUREBITS, _PR_SET_NO_NEW_PRIVS = 24, 28, 38
_NOROOT_LOCKED = 3
_CAPABILITIES = 64  # more than there are
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
_INODES = 65536
_BASE, _OLD = "/tmp", "/.old"
_SHOWN = ("read", "own", "copy", "empty", "folder", "link")
_DEVICES = ("null", "zero", "full", "random", "urandom")
_DEVICE_LINKS = (
    ("fd", "/proc/self/fd"),
    ("stdin", "/proc/self/fd/0"),
    ("stdout", "/proc/self/fd/1"),
    ("stderr", "/proc/self/fd/2"),
)


class _Attributes(ctypes.Structure):
    """`struct mount_attr` of mount_setattr(2)."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("attr_set", "attr_clr", "propagation", "userns_fd")]


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _check(what: str, result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None = None) -> None:
    words = [None if word is None else os.fsencode(word) for word in (source, target, kind)]
    text = None if data is None else os.fsencode(data)
    _check(f"mount {target}", _libc().mount(*words, ctypes.c_ulong(flags), text))


def _set_attributes(path: str, flags: int, more: int, less: int) -> None:
    attributes = _Attributes(more, less, 0, 0)
    result = _libc().syscall(
        ctypes.c_long(_SYS_MOUNT_SETATTR),
        ctypes.c_int(-100),
        os.fsencode(path),
        ctypes.c_uint(flags),
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )
    _check(f"mount_setattr {path}", result)


def enclose() -> None:
    """Make new namespaces: this process is in the user namespace, its next child first in the PID namespace too."""
    user, group = os.geteuid(), os.getegid()
    _check("unshare", _libc().unshare(_NEWUSER | _NEWPID))
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def furnish(view: str) -> int:
    """In process 1: only what the view names is there; a descriptor of the scratch file system. Raises OSError.

    Nothing of what is outside is written to.
    """
    _check("unshare", _libc().unshare(_NEWNS | _NEWNET | _NEWIPC))
    lines = [line.split("\t") for line in view.splitlines()]
    size = next((int(words[1]) for words in lines if words[0] == "size"), 1 << 28)
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    _mount("saddlepoint", _BASE, "tmpfs", 0, f"size={size},nr_inodes={_INODES},mode=755")
    os.mkdir(_BASE + _OLD)
    _check(
        "pivot_root",
        _libc().syscall(
            ctypes.c_long(_SYS_PIVOT_ROOT[os.uname().machine]), os.fsencode(_BASE), os.fsencode(_BASE + _OLD)
        ),
    )
    os.chdir("/")
    _basic_folders()
    writable = ["/tmp", "/dev/shm"]
    start = "/tmp"
    straight: set[str] = set()  # folders that are what their names say
    for words in lines:
        path = words[1]
        if words[0] in _SHOWN:
            above = os.path.dirname(path)
            # Where there is a link already, on the way or at the end, the view names the place it leads to as well.
            if (above not in straight and os.path.realpath(above) != above) or os.path.islink(path):
                continue
            straight.add(above)
        match words[0]:
            case "read":
                _bind(_OLD + words[2], path)
            case "link":
                os.makedirs(os.path.dirname(path), exist_ok=True)
                if not os.path.lexists(path):
                    os.symlink(words[2], path)
            case "own":
                _own(path, len(writable))
                writable.append(path)
            case "copy":
                _copy(_OLD + words[2], path)
            case "empty":
                os.close(_new_file(path, 0o644))
            case "hide" if os.path.exists(path):
                _mount("/dev/null", path, None, _MS_BIND)
            case "folder":
                os.makedirs(path, exist_ok=True)
            case "chdir":
                start = path
            case _:
                pass
    _check("umount", _libc().umount2(os.fsencode(_OLD), _MNT_DETACH))
    os.rmdir(_OLD)
    # No further namespaces inside: there the program would have rights over more of the kernel.
    with contextlib.suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")
    _set_attributes("/", _AT_RECURSIVE, _ATTR_RDONLY | _ATTR_NOSUID, 0)
    for path in writable:
        _set_attributes(path, 0, 0, _ATTR_RDONLY)
    _begin_loopback()
    os.chdir(start if os.path.isdir(start) else "/tmp")
    return os.open("/tmp", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def network() -> int:
    """In process 1: a descriptor of its network, for `enter_network`."""
    return os.open("/proc/self/ns/net", os.O_RDONLY | os.O_CLOEXEC)


def enter_network(descriptor: int) -> None:
    """In the supervisor: the sockets that it makes from now on are in that network. Raises OSError."""
    _check("setns", _libc().setns(ctypes.c_int(descriptor), ctypes.c_int(_NEWNET)))


def _basic_folders() -> None:
    for folder in ("/proc", "/dev", "/tmp", "/dev/shm", "/.shm"):
        os.mkdir(folder)
    for folder in ("/tmp", "/.shm"):
        os.chmod(folder, 0o1777)
    _mount("proc", "/proc", "proc", 0)
    _mount("/tmp", "/tmp", None, _MS_BIND)
    _mount("/.shm", "/dev/shm", None, _MS_BIND)
    for name in _DEVICES:
        if os.path.exists(f"{_OLD}/dev/{name}"):
            _bind(f"{_OLD}/dev/{name}", f"/dev/{name}")
    for name, target in _DEVICE_LINKS:
        os.symlink(target, f"/dev/{name}")


def _bind(source: str, target: str) -> None:
    """Show what is at `source` at `target` too; nothing where it is gone."""
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    elif os.path.exists(source):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))
    else:
        return
    _mount(source, target, None, _MS_BIND | _MS_REC)
    _set_attributes(
        target, _AT_RECURSIVE, _ATTR_RDONLY, 0
    )  # at once: what is made in it by mistake is not made outside


def _own(target: str, number: int) -> None:
    """A new folder that can be written."""
    folder = f"/.own/{number}"
    for one in (folder, target):
        os.makedirs(one, exist_ok=True)
    _mount(folder, target, None, _MS_BIND)


def _new_file(path: str, mode: int) -> int:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, mode)


def _copy(source: str, target: str) -> None:
    """A file as it is now; nothing where it is gone, or cannot be read."""
    try:
        reading = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    status = os.fstat(reading)
    writing = _new_file(target, 0o600)
    left = status.st_size
    while left > 0 and (done := os.sendfile(writing, reading, None, left)):
        left -= done
    os.fchmod(writing, status.st_mode & 0o777)
    os.utime(writing, ns=(status.st_atime_ns, status.st_mtime_ns))
    os.close(writing)
    os.close(reading)


def _begin_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh22x", b"lo", 0)
        flags = struct.unpack_from("16sh", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | _IFF_UP))


def give_up_rights() -> None:
    """Before the program begins: it has no capabilities, also as root, and none to gain by any file."""
    libc = _libc()
    for number in range(_CAPABILITIES):
        libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0)
    libc.prctl(_PR_SET_SECUREBITS, _NOROOT_LOCKED, 0, 0, 0)
    _check("no_new_privs", libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
