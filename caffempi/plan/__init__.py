"""From a graph to something that runs: the shape-free Plan, and the Binding that it becomes for given shapes."""
