"""Live readers: how they learn of new events, in this process and in others.

The log is authoritative. A reader is told that a session has grown and reads the log; the buffer
only saves the read when the reader is close behind.
"""
