"""Runs a command on a pseudo-terminal: python3 terminal.py COLUMNS ROWS COMMAND…

What comes in is typed there, what it shows goes out, and its exit code is the exit code.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, rows, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(command[0], command)

watched = [terminal, 0]
while terminal in watched:
    for ready in select.select(watched, [], [])[0]:
        try:
            data = os.read(ready, 65536)
        except OSError:
            # The other end of a terminal that is gone.
            data = b""
        if not data:
            watched.remove(ready)
        elif ready == terminal:
            os.write(1, data)
        else:
            os.write(terminal, data)

_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
