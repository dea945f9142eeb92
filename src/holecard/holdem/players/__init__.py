"""Who can play hold'em: rule players, networks, champions."""
