"""What users call: a question a file, and the common ground of several."""
