"""Where hold'em players meet: hands, sessions on duplicate decks, duels, earnings of a population."""
