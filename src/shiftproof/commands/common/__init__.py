"""What commands share: arguments, answers, the terminal."""
