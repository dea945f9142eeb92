"""Strategy charts: one value for every chart, its text, and the charts people know by name."""
