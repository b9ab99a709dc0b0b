"""`code_executor`: Python that keeps its variables, in the sandbox.

kernel.py       the program inside: stands alone, on the standard library
python_runtime.py      which Python it is, and what of it the sandbox must show
code_session.py      one kernel per session: started, talked to, ended when idle
kernel_reply.py        what the kernel answered, and what the model reads of it
code_executor.py     the tool
"""
