"""What programs that write or review mechanisms are answered, over the Model Context Protocol."""
