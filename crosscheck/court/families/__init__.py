"""The families of questions, each with a certified curve and a second exact method."""
