"""The explorer: a local page where a person moves parameters and sees the certified answers change."""
