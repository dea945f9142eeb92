"""Where players meet and are judged: sessions on duplicated decks, duels, leagues."""
