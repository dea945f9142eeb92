"""The golden playthroughs: rules, a stacked shoe in dealing order, and what the player does.

Cards come player, upcard, player, hole card, then as they are drawn.
"""

from __future__ import annotations

from holecard.blackjack.game.actions import Action

LETTERS = {
    "H": Action.HIT,
    "S": Action.STAND,
    "D": Action.DOUBLE,
    "P": Action.SPLIT,
    "R": Action.SURRENDER,
    "I": Action.INSURE,
    "N": Action.DECLINE,
}

SCRIPTS = {
    "natural-pays-three-to-two": ("casino", "As 9c Kd 7h", ""),
    "naturals-push": ("casino", "As Ac Kd Qh", ""),
    "dealer-peeks-and-has-it": ("casino", "Ts Ac 9d Kh", ""),
    "resplit-aces-to-four-hands": ("casino RSA", "As 6c Ad Th Ah Ac 9s Kd 2c 8d 5h", "PPP"),
    "split-aces-get-one-card": ("casino", "As 6c Ad Th 5h 9s 7c", "P"),
    "hit-split-aces": ("casino HSA", "As 6c Ad Th 5h 4s 9s Kd", "PHSS"),
    "late-surrender-against-an-ace": ("casino LS", "Ts Ac 6d 8h", "R"),
    "early-surrender-saves-half-from-a-natural": ("casino ES", "Ts Ac 6d Kh", "R"),
    "early-surrender-declined-meets-the-natural": ("casino ES", "Ts Ac 6d Kh", "H"),
    "insurance-won": ("casino INS", "Ts Ac 9d Kh", "I"),
    "insurance-lost": ("casino INS", "Ts Ac 9d 8h", "IS"),
    "even-money": ("casino INS", "As Ac Kd Kh", "I"),
    "five-card-charlie": ("casino 5-charlie", "2s Tc 3d Kh 4c 2h 5d", "HHH"),
    "no-peek-double-lost-to-a-natural": ("european", "6s Tc 5d Ah 9c", "D"),
    "original-bets-only": ("6d S17 OBO", "8s Tc 8d Ah 3c Ts 9h", "PDS"),
    "split-eights-double-one-bust-one": ("casino", "8s 6c 8d Th 3c Ks Td 9h 4d", "PDH"),
    "dealer-hits-soft-17": ("casino", "Ts 6c 9d Ah Kc 5s", "S"),
    "dealer-stands-on-soft-17": ("6d S17", "Ts 6c 9d Ah", "S"),
    "plain-natural-pushes-any-21": ("classic", "7s Tc 7d Ah 7c", "H"),
    "mixed-tens-are-no-pair-by-rank": ("casino", "Ks 6c Jd Th 9c", "S"),
    "dealer-22-pushes": ("casino push-22", "Ts 6c 9d Th 6h", "S"),
    "dealer-22-pushes-a-double-and-a-split": ("casino push-22", "8s 6c 8d Th 3c Td Ks 6h", "PDS"),
    "dealer-22-leaves-a-bust-lost": ("casino push-22", "8s 6c 8d Th Ks Td Qc 6h", "PHS"),
    "dealer-22-leaves-a-charlie-paid": ("casino push-22 5-charlie", "2s 6c 3d Kh 4c 2h 5d 6s", "HHH"),
    "dealer-23-is-a-bust": ("casino push-22", "Ts 6c 9d Th 7h", "S"),
    "ties-lose": ("casino ties-lose", "Ts Tc 9d 9h", "S"),
    "ties-lose-but-naturals-push": ("casino ties-lose", "As Ac Kd Qh", ""),
    "ties-lose-where-naturals-are-plain": ("classic ties-lose", "As Tc Kd Ah", ""),
    "double-three-cards": ("casino double-any", "2s 6c 3d Th 6h Tc Kd", "HD"),
    "double-makes-a-charlie": ("casino double-any 5-charlie", "2s Tc 3d Kh 2c 3h 4d", "HHD"),
    "double-split-aces": ("casino DSA", "As 6c Ad Th 5h 4s 9s Kd", "PDS"),
    "late-surrender-without-a-peek": ("6d ENHC LS", "Ts Ac 6d 8h", "R"),
    "late-surrender-without-a-peek-lost-to-a-natural": ("6d ENHC LS", "Ts Ac 6d Kh", "R"),
    "early-surrender-against-a-ten": ("casino ES10", "Ts Tc 6d Ah", "R"),
    "early-surrender-against-a-ten-is-late-against-an-ace": ("casino ES10", "Ts Ac 6d Kh", ""),
    "insurance-then-early-surrender": ("casino ES INS", "Ts Ac 6d Kh", "NR"),
}
