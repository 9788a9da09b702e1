"""One test for many cases that take no time: hundreds of items cost more than what they check."""


def every(cases):
    """Makes a check of one case a test of all; where it fails, the case is named."""

    def whole(check):
        def test():
            for case in cases:
                try:
                    check(case)
                except AssertionError as problem:
                    raise AssertionError(f"{case}: {problem}") from problem

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return whole
