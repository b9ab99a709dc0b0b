"""`dataagent permissions`: looking at rules, changing them, and asking why. One file per verb."""
