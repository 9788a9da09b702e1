"""Privacy curves: delta as a function of eps, their inverses, calibration and composition."""
