"""Where players meet: sessions on common cards, and the statistics that judge them."""
