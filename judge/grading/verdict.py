"""What a judgement can say. One value is folder name, column value, CSS class and heading."""

from enum import StrEnum


class Verdict(StrEnum):
    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    TIME_LIMIT_EXCEEDED = "time_limit_exceeded"
    MEMORY_LIMIT_EXCEEDED = "memory_limit_exceeded"
    OUTPUT_LIMIT_EXCEEDED = "output_limit_exceeded"
    RUN_TIME_ERROR = "run_time_error"
    COMPILE_ERROR = "compile_error"
    JUDGE_ERROR = "judge_error"
    """Ours or the author's, never the student's; it never costs an attempt."""
