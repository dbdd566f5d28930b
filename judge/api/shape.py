"""What is sent and answered, as the schema describes it: the docstring of a field is its description there."""

from ninja import Schema
from pydantic import ConfigDict


class Told(Schema):
    """Something that is answered."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Asked(Schema):
    """Something that is sent. A field that is not known is refused: a filter misspelt would choose everything."""

    model_config = ConfigDict(use_attribute_docstrings=True, extra="forbid")
