"""Damage to bytes, from a seed: what transfer errors, other programs and attackers do to files."""

from __future__ import annotations

from random import Random

_NUMBERS = [
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x7FFFFFFF,
    0xFFFFFFFF,
    0x7FFFFFFFFFFFFFFF,
    0xFFFFFFFFFFFFFFFF,
]
_TOKENS = [
    b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\n", b"\r", b"\t", b"\\", b'"', b"'", b"<", b">", b"&", b"&#0;", b"&#x110000;",
    b"&a;", b"]]>", b"<!--", b"<![CDATA[", b"<!ENTITY a 'b'>", b"|||", b"[X,1]", b"[", b"]", b"-1", b"nan", b"inf", b"1e999",
    b"9" * 5000, b"{" * 50, b"[" * 2000, b"<a>" * 50, b"%s", b"../", b"```", b"--> ", b"msgid", b"msgstr[9]", b"\xe2\x80\xae",
]  # fmt: skip


def mutated(data: bytes, random: Random) -> bytes:
    """One to four random changes."""
    result = bytearray(data)
    for _ in range(random.choice((1, 1, 1, 2, 3, 4))):
        random.choice(_CHANGES)(result, random)
    return bytes(result)


def _flip(data: bytearray, random: Random) -> None:
    if data:
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def _number(data: bytearray, random: Random) -> None:
    size = random.choice((1, 2, 4, 8))
    place = random.randrange(len(data) + 1)
    value = random.choice(_NUMBERS) & ((1 << 8 * size) - 1)
    data[place : place + size] = value.to_bytes(size, random.choice(("little", "big")))


def _token(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data) + 1)
    data[place : place + random.choice((0, 0, 1, 8))] = random.choice(_TOKENS)


def _cut(data: bytearray, random: Random) -> None:
    del data[random.randrange(len(data) + 1) :]


def _remove(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data) + 1)
    del data[place : place + random.choice((1, 2, 8, 64, 4096))]


def _repeat(data: bytearray, random: Random) -> None:
    place = random.randrange(len(data) + 1)
    part = data[place : place + random.choice((1, 8, 64, 512))]
    data[place:place] = part * random.choice((1, 2, 20))


def _swap(data: bytearray, random: Random) -> None:
    a, b = sorted(random.randrange(len(data) + 1) for _ in range(2))
    size = random.choice((4, 8, 32))
    data[a : a + size], data[b : b + size] = data[b : b + size], data[a : a + size]


_CHANGES = (_flip, _flip, _number, _number, _token, _token, _cut, _remove, _repeat, _swap)
