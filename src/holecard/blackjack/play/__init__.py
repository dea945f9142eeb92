"""Strategies played by the million: kernels, simulations with their errors, the GPU."""
