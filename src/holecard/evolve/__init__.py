"""Evolution of genomes: bits and letters, trees, network weights. It knows fitness and never cards."""
