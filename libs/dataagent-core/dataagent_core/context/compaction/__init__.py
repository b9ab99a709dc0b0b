"""Compaction: shows a long history shorter. `compactor.py` decides and acts, `plan.py` is pure."""
