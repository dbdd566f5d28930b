"""Which programs for a problem are alike, as evidence to look at: what two people wrote, and what both got wrong."""
