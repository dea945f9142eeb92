"""What people see: the command line, figures, the dashboard."""
