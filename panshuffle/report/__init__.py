"""The living erratum: one self-contained page that says what of the paper holds."""
