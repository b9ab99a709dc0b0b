"""Live: how readers hear of what the log has taken, in this process and in others.

Nothing here is the truth. A reader is told that a session has grown and reads the log; the buffer
only saves it the trip when it is close behind.
"""
