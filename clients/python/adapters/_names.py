# SPDX-License-Identifier: Apache-2.0
"""Names of locks for adapters, whose users choose any text."""

import hashlib
from typing import Union
from urllib.parse import quote

_LONGEST = 400


def segment(text: Union[str, bytes]) -> str:
    """Returns the last segment of a name, which differs for each text.

    It is percent-encoded, so that the service accepts it. The end of a long one is its SHA-256.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    encoded = quote(data, safe="")
    if encoded in ("", ".", "..", "extend", "fence"):
        return "%" + encoded  # which no other text gives
    if len(encoded) <= _LONGEST:
        return encoded
    return f"{encoded[:_LONGEST]}~{hashlib.sha256(data).hexdigest()}"
