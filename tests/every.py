"""One test for many cases that take no time: hundreds of items cost more than what they check."""

from inspect import signature


def every(names, cases):
    """As `pytest.mark.parametrize`, in one test of all cases; where it fails, the case is named."""
    names, cases = [name.strip() for name in names.split(",")] if isinstance(names, str) else [*names], [*cases]

    def whole(check):
        def test(**given):
            for case in cases:
                try:
                    check(**given, **dict(zip(names, case if len(names) > 1 else [case], strict=True)))
                except Exception as problem:
                    problem.add_note(f"where {', '.join(names)} = {case!r}")
                    raise

        asked = signature(check)
        fixtures = [parameter for name, parameter in asked.parameters.items() if name not in names]
        test.__signature__ = asked.replace(parameters=fixtures)
        test.__name__, test.__doc__, test.__module__ = check.__name__, check.__doc__, check.__module__
        return test

    return whole
