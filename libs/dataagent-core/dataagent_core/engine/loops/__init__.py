"""How a run goes on from turn to turn: by a work plan, or in stages (`staged/`).

Without a plan the model decides alone, turn by turn (ReAct), and nothing here does anything.
"""
