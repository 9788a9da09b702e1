"""The application: the command line over the packages beside it."""
