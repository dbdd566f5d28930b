"""What is wrong with a package is told at the desk in the language of its reader."""

import re
from collections.abc import Mapping
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.translation import override

from judge.authoring import drafts, editing
from judge.web.told import tell
from problems.models import Problem
from problems.package.findings import MAX_FINDINGS, Findings
from tests.problems.package.older import zipped
from tests.problems.package.small import FILES

pytestmark = pytest.mark.django_db
PORTUGUESE = {"accept-language": "pt-BR"}


def words(content: bytes) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", content.decode())))


def faulty(changes: Mapping[str, str | None]) -> SimpleUploadedFile:
    files = {name: content for name, content in {**FILES, **changes}.items() if content is not None}
    return SimpleUploadedFile("doubles.zip", zipped(of=files), "application/zip")


def test_an_upload_with_several_faults(as_instructor: Client) -> None:
    about = str(FILES["problem.yaml"])
    sent = faulty(
        {
            "problem.yaml": about + "licence: <b>mine</b>\nkeywords: 3\n",
            "submissions/accepted/sane.py": None,
            "palfrey/lesson.xx_y.md": "# A lesson\n",
            "data/secret/1.in": "1\r\n",
            "statement/problem.en.tex": "Other.\n",
            "notes.txt": "mine\n",
            "data/secret/lonely.ans": "1\n",
        }
    )
    answer = as_instructor.post("/desk/new", {"do": "upload", "upload-package": sent}, headers=PORTUGUESE)
    assert answer.status_code == 422
    page = words(answer.content)
    for told in (
        "Chave desconhecida: `licence`; você quis dizer `license`?",
        "`keywords` precisa ser uma lista: escreva [3].",
        "Não mostrado: o enunciado neste idioma é `problem.en.md`. Remova um dos dois.",
        "Ignorado: o formato não conhece `notes.txt` no topo de um pacote.",
        "Há .ans, mas não `lonely.in`: acrescente-o.",
    ):
        assert told in page
    assert not re.search(r"Unknown key|must be|There is|Ignored|Not shown", page)


def test_what_an_author_wrote_stays_theirs(as_instructor: Client, sums: Problem) -> None:
    about = drafts.working_copy(sums).files["problem.yaml"].read_bytes()
    sent = {"do": "save", "text": about.decode() + "<b>true</b>: red\n", "base": editing.base_of(about)}
    answer = as_instructor.post("/desk/sums/files/problem.yaml", sent, follow=True, headers=PORTUGUESE)
    assert "Chave desconhecida: `&lt;b&gt;true&lt;/b&gt;`." in answer.content.decode()
    assert "<b>true</b>" not in answer.content.decode()
    page = words(as_instructor.get("/desk/sums/", headers=PORTUGUESE).content)
    assert "Chave desconhecida: `<b>true</b>`." in page


def test_doubts_about_a_statement_in_tex(as_instructor: Client, sums: Problem) -> None:
    text = "Add them \\frobnicate{up}.\n\nSee \\href{javascript:1}{here}.\n"
    sent = {"name": "statement/problem.en.tex", "text": text}
    page = words(as_instructor.post("/desk/sums/preview", sent, headers=PORTUGUESE).content)
    assert "Linha 1: Não há comando `\\frobnicate` aqui: só o texto dele é mostrado." in page
    assert "Linha 3: Só o texto deste link é mostrado" in page


WITHIN = {
    "findings of a version that was not made": (
        "sums cannot be published.\n  problem.yaml:3: Unknown key `a`; did you mean `b`?\n  data: `b` must be text.",
        (
            "sums não pode ser publicado.\n  problem.yaml:3: Chave desconhecida: `a`; você quis dizer `b`?\n"
            "  data: `b` precisa ser texto."
        ),
    ),
    "a trace that cannot be played": (
        (
            "sums cannot be published. palfrey/lesson.en.md:9: What palfrey/traces/bfs.py prints cannot be played: "
            "line 4 of the trace: There is no step `hop`; steps are: enqueue, see. (with n = 3)"
        ),
        (
            "sums não pode ser publicado. palfrey/lesson.en.md:9: O que palfrey/traces/bfs.py imprime não pode ser "
            "reproduzido: linha 4 do trace: Não há passo `hop`; os passos são: enqueue, see. (com n = 3)"
        ),
    ),
    "how a program ended": (
        "palfrey/traces/bfs.py ended with exit code 3. Traceback: no such thing",
        "palfrey/traces/bfs.py terminou com o código de saída 3. Traceback: no such thing",
    ),
    "what an example got": (
        "submissions/accepted/a.py: on secret/1 it gets WA, which is not among AC.",
        "submissions/accepted/a.py: em secret/1 recebe WA, que não está entre AC.",
    ),
    "words of others": ("The wizard: gone.", "The wizard: gone."),
    "sentences of others": ("A wizard ended. It was late.", "A wizard ended. It was late."),
    "a list of others": ("`choose` among them", "`choose` among them"),
}


@pytest.mark.parametrize("what", WITHIN)
def test_sentences_within_sentences(what: str) -> None:
    said, shown = WITHIN[what]
    with override("pt-br"):
        assert tell(said) == shown


def test_more_than_is_kept_is_told_too() -> None:
    findings = Findings()
    for number in range(MAX_FINDINGS + 1_234):
        findings.warn(f"{number}", "rule", "said")
    with override("pt-br"):
        assert tell(findings.all()[-1].message) == "Há mais 1.234 avisos: corrija estes primeiro."
