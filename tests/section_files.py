"""For tests of what readers do with damaged files: checksums would refuse most of them at once."""

from __future__ import annotations

import struct


def without_checksums(content: bytes) -> bytes:
    """The bytes of a section file as they were before there were checksums."""
    (sections,) = struct.unpack_from("<I", content, 32)
    return content[:32] + struct.pack("<II", sections - 1, 0) + content[40:]
