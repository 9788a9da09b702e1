"""The models that protocols run in: shuffle, online, and the transformation from one to the other."""
