"""Ninth zoo: all of its bugs."""

from __future__ import annotations

from tests import (
    blind_ninth_messages,
    blind_ninth_noise,
    blind_ninth_online,
    blind_ninth_randomness,
    blind_ninth_users,
)

BUGS = (
    *blind_ninth_noise.BUGS,
    *blind_ninth_messages.BUGS,
    *blind_ninth_randomness.BUGS,
    *blind_ninth_users.BUGS,
    *blind_ninth_online.BUGS,
)
