"""The report of a race: one HTML file that needs nothing else, and every picture of it as PNG, SVG and CSV."""

from holecard.ui.report.page import REPORT, write_report

__all__ = ["REPORT", "write_report"]
