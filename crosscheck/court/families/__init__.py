"""The families of cases, one a file, each with a certified curve, a second exact method and a battery."""
