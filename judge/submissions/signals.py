"""What features above are told. Receivers run after the commit; a receiver that fails harms nobody else."""

from django.dispatch import Signal

swept = Signal()
"""A sweeper has done its round: whoever has work of its own to look after may do so now. No arguments."""

judged = Signal()
"""A judgement is done. Arguments: `judgement`."""

tried_out = Signal()
"""A trial run is done. Arguments: `trial`."""

given_up = Signal()
"""A row was ended after its last attempt; staff must look. Arguments: `row` (any kind of `Owed`),
`reason`."""
