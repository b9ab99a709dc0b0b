"""A run by a workflow: its calls are turns in the model's place (`patterns/workflow/`).

workflow_loop.py      what is next; at the first surprise the agent goes on
workflow_state.py     what came of the calls so far, from the log
workflow_messages.py  the turns, and what the agent is told when it takes over
model_places.py       the side calls for what a model still writes
"""
