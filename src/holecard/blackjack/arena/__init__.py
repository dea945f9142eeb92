"""Where blackjack players are judged and watched: sessions, exact judgement of decisions, scenes."""
