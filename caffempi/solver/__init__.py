"""Training: settings, learning-rate policies, update rules, the loop, snapshots, and the seam to other ranks."""
