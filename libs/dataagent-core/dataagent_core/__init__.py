"""The agent of DataAgent, as a library.

Import names from the feature packages (`dataagent_core.engine`, `.events`, `.session` ...): this
module stays empty so that importing one of them does not load the engine.
"""
