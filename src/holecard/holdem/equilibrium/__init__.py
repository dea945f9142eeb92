"""Play that cannot be beaten: small games, push or fold, river spots, all solved with their exploitability."""
