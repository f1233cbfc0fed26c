"""Writes to stdout the BPF program of a unit's SystemCallFilter, RestrictAddressFamilies and RestrictNamespaces.

Arguments: the groups that are allowed, "--without", the groups that are not, "--families", the socket families.
"""

import errno
import socket
import subprocess
import sys

import seccomp

# systemd always allows these to a service with a filter (systemd.exec(5)).
ALWAYS = ["@default", "execve"]
NAMESPACES = 0x7E020080


def calls(group):
    if not group.startswith("@"):
        return {group}
    text = subprocess.run(["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
    lines = [line.strip() for line in text.splitlines()[1:]]
    return set().union(*(calls(line) for line in lines if line and not line.startswith("#")))


def main(arguments):
    without, families = arguments.index("--without"), arguments.index("--families")
    allowed = set().union(*map(calls, [*ALWAYS, *arguments[:without]]))
    allowed -= set().union(*map(calls, arguments[without + 1 : families]))
    program = seccomp.SyscallFilter(defaction=seccomp.ERRNO(errno.EPERM))
    for name in sorted(allowed - {"socket", "clone", "clone3", "unshare", "setns"}):
        try:
            program.add_rule(seccomp.ALLOW, name)
        except (RuntimeError, OSError):
            pass  # A call of another architecture.
    for family in arguments[families + 1 :]:
        program.add_rule(seccomp.ALLOW, "socket", seccomp.Arg(0, seccomp.EQ, int(getattr(socket, family))))
    program.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, NAMESPACES, 0))
    # The flags of clone3 are out of reach of a filter; libc falls back to clone after ENOSYS, as systemd intends.
    program.add_rule(seccomp.ERRNO(errno.ENOSYS), "clone3")
    program.export_bpf(sys.stdout)


main(sys.argv[1:])
