"""Commands about what was learned from runs: patterns and memories."""
