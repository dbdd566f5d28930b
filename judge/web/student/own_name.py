"""The name that a student gave to a lone file, which is compiled and run by another: `main.py`, or after its class."""

import re

from judge.grading.languages import LANGUAGES
from judge.submissions.models import Submission

_ANY = r"[\w$.+/-]{0,120}"


def with_own_name(text: str, sent: Submission) -> str:
    """`text` of a worker, a compiler or a run-time system, with the student's own name where it speaks of the file."""
    language = LANGUAGES.get(sent.language)
    if not text or language is None or not language.suffixes or len(sent.files) != 1:
        return text
    own = str(sent.files[0]["name"])
    endings = "|".join(map(re.escape, language.suffixes))
    told, printed = rf"(?<= of ){_ANY}(?:{endings})", rf"(?:/box/|\./)?(?<![\w-]){re.escape(language.source)}"
    return re.sub(rf"(?:{told}|{printed})(?![\w-])", lambda _: own, text)
