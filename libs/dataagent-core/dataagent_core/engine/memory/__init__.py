"""What runs have of memory: they are told what fits their message, and are learned from.

memory_use.py       the memories of one agent: where it reads and writes, and on which terms
recall.py           finds what fits a message
recall_note.py      what the model is told of it
recall_events.py    the same as events, from which a resumed run is told again
learn_memories.py   what a person said becomes an episode and memories, at the end of a run
"""
