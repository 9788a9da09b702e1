"""Appendix A.2: distinct elements over a large universe."""
