"""From files and functions to programs: reading what Python would run, and what it says."""
