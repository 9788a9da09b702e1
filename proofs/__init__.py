"""The paper, statement by statement, each with a verdict on evidence that is computed anew."""
