"""The command line: `main` parses and wires, `verbs` has one file a verb, the rest is what verbs share."""
