"""The verbs, one file each. Their modules are light: what a verb works with is imported when it runs."""
