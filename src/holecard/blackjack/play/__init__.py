"""Strategies played by the million: kernels, simulations with their errors, the GPU.

In reading order:

- `simulate`: a strategy played for any number of rounds; where to begin.
- `result`: what a simulation says, each number with its error.
- `kernels`: the compiled loops: fresh shoes, dealt shoes, trips.
- `gpu`: the same rounds on a GPU, with the same counts.
- `upcards`: rounds that show a wanted upcard.
"""
