"""Any randomizer behind a shuffler: its certified curve."""
