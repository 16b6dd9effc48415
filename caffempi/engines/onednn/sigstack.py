"""A stack of their own for signal handlers, which oneDNN's generated code needs.

Some of that code keeps live data below the stack pointer further than the ABI's red zone reaches; a signal frame put on the
same stack overwrites it (seen with x64:gemm:jit: Ctrl-C then corrupts the heap). Python installs its handlers so that they run
on the alternate stack where the main thread has one, and Linux hands a process's signals to the main thread.
"""
from __future__ import annotations

import ctypes
import threading

_DISABLED = 2                                                   # SS_DISABLE of <signal.h>
_BYTES = 1 << 16


class _Stack(ctypes.Structure):
    """stack_t."""

    _fields_ = [("pointer", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]


def separate_signal_stack() -> bool:
    """Gives the main thread an alternate signal stack, unless it has one; whether there is one now.

    False where another thread asks (only the main thread's stack matters, and only it can set it up).
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    old = _Stack()
    if libc.sigaltstack(None, ctypes.byref(old)) != 0:
        return False
    if not old.flags & _DISABLED:
        return True
    memory = ctypes.create_string_buffer(_BYTES)
    new = _Stack(ctypes.cast(memory, ctypes.c_void_p), 0, _BYTES)
    if libc.sigaltstack(ctypes.byref(new), None) != 0:
        return False
    _forever(memory)
    return True


def _forever(memory: object) -> None:
    """Keeps the kernel's memory: it may write there until the process ends."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(memory))
