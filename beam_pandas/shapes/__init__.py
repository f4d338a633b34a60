"""What makes frames of scores from other shapes."""
