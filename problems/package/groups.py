"""`test_group.yaml` and the `.yaml` of a test case: scoring of groups, settings of cases and who inherits what."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from problems.package.findings import Findings
from problems.package.model import Aggregation, CaseSettings, StaticCase, TestGroup
from problems.package.yaml_text import Fields, Map
from problems.say import say

_SETTINGS = frozenset(
    "args input_validator_args output_validator_args input_visualizer_args output_visualizer_args full_feedback".split()  # noqa: SIM905
)
CASE_KEYS = _SETTINGS | {"hint", "description"}
_SCORING = frozenset({"max_score", "score_aggregation", "require_pass"})
GROUP_KEYS = _SETTINGS | _SCORING | {"static_validation_score", "static_validator_args"}

CASE_FILES = frozenset(
    "in ans out interaction in.statement ans.statement in.download ans.download yaml png jpg jpeg svg".split()  # noqa: SIM905
)
"""Extensions of the files of a test case, without first dot; `.files/` comes on top."""

Validators = Mapping[str, str]
"""What a package may call an input validator (its base name, with or without ending) -> `Program.name`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupSettings:
    """A group, and the settings its cases start from."""

    group: TestGroup
    settings: CaseSettings
    where: str
    """File and line to name in findings about the group."""


def read_group(
    name: str,
    found: Map | None,
    *,
    where: str,
    inherited: CaseSettings,
    validators: Validators,
    findings: Findings,
    scoring: bool,
) -> GroupSettings:
    """The group `name` from its `test_group.yaml` (None: it has none). `scoring`: whether the problem scores."""
    fields = Fields(found or Map(1, {}, {}), where, findings, GROUP_KEYS)
    aggregation = fields.choice("score_aggregation", set(Aggregation))
    max_score = _max_score(fields, 10**15 if name == "secret" else 0)
    require_pass = fields.texts("require_pass", one_is_fine=True) or ()
    for key in sorted(_SCORING):
        if key in fields and name == "sample":
            fields.error(key, "group-key", say("said", "Samples never score: remove `%(key)s`.", key=key))
        elif key in fields and not scoring:
            fields.error(
                key,
                "group-key",
                say("said", "A pass-fail problem has no scores: remove `%(key)s`, or set `type: scoring`.", key=key),
            )
    secret = name == "secret"
    how = Aggregation.SUM if secret and scoring else Aggregation.PASS_FAIL
    if aggregation and scoring and name != "sample":
        how = Aggregation(aggregation)
    group = TestGroup(
        name=name,
        aggregation=how,
        max_score=(100 if secret and "max_score" not in fields else max_score)
        if scoring and name != "sample"
        else None,
        require_pass=require_pass,
        static=_static(fields, how),
    )
    return GroupSettings(group=group, settings=read_settings(fields, inherited, validators), where=where)


def _static(fields: Fields, how: Aggregation) -> StaticCase | None:
    key = "static_validation_score"
    args = fields.texts("static_validator_args")
    node = fields.node(key)
    if node is None:
        if args is not None:
            fields.error(
                "static_validator_args",
                "static-validation",
                say("said", "Say what it is worth: add `%(key)s`.", key=key),
            )
        return None
    passes = getattr(node, "text", "") == "pass-fail"
    score = None if passes else fields.integer(key)
    if score is not None and score < 0:
        fields.wrong(key, say("said", "`%(key)s` must be 0 or more, or `pass-fail`."))
    elif passes and how is not Aggregation.PASS_FAIL:
        fields.error(
            key,
            "static-validation",
            say("said", "`pass-fail` needs `score_aggregation: pass-fail`: here it is %(how)s. Give points.", how=how),
        )
    elif score is not None and how is Aggregation.PASS_FAIL:
        fields.error(
            key,
            "static-validation",
            say("said", "The group is pass-fail, so nothing in it has points: write `pass-fail`."),
        )
    return StaticCase(max_score=score, args=args or ())


def read_settings(fields: Fields, inherited: CaseSettings, validators: Validators) -> CaseSettings:
    """What `fields` says over what is `inherited`."""
    settings = inherited
    if (args := fields.texts("args")) is not None:
        settings = replace(settings, args=args)
    if (input_args := _input_validator_args(fields, validators)) is not None:
        settings = replace(settings, input_validator_args=input_args)
    if (args := fields.texts("output_validator_args")) is not None:
        settings = replace(settings, output_validator_args=args)
    if (args := fields.texts("input_visualizer_args")) is not None:
        settings = replace(settings, input_visualizer_args=args)
    if (args := fields.texts("output_visualizer_args")) is not None:
        settings = replace(settings, output_visualizer_args=args)
    if (flag := fields.flag("full_feedback")) is not None:
        settings = replace(settings, full_feedback=flag)
    if (text := fields.text("hint")) is not None:
        settings = replace(settings, hint=text)
    if (text := fields.text("description")) is not None:
        settings = replace(settings, description=text)
    return settings


def _max_score(fields: Fields, instead: int) -> int | None:
    """None: unbounded. `instead`: what is taken in the place of one that is wrong, and told as such."""
    node = fields.node("max_score")
    if node is None or getattr(node, "text", "") == "unbounded":
        return None
    score = fields.integer("max_score")
    if score is not None and score < 0:
        fields.wrong("max_score", say("said", "`%(key)s` must be 0 or more, or `unbounded`."))
        return instead
    return instead if score is None else score


def _input_validator_args(fields: Fields, validators: Validators) -> dict[str, tuple[str, ...]] | None:
    key = "input_validator_args"
    node = fields.node(key)
    if node is None:
        return None
    if not isinstance(node, Map):
        args = fields.texts(key)
        return None if args is None else {"": args}
    by_name = fields.fields(key, None)
    assert by_name is not None
    found: dict[str, tuple[str, ...]] = {}
    for name in by_name.map.nodes:
        args = by_name.texts(name)
        if name not in validators:
            by_name.error(
                name,
                "no-such-validator",
                say("said", "There is no input validator `%(name)s` in `input_validators/`.", name=name[:60]),
            )
        elif args is not None:
            found[validators[name]] = args
    return found
