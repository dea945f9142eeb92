"""What people see: the command line, figures, reports. Reads records and results; holds no rule of any game."""
