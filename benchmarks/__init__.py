"""Speed of the package as ratios, each measured in one run on one machine."""
