"""The tool `code_executor`: Python that keeps its variables, in the sandbox.

kernel.py           the program inside the sandbox, on the standard library alone
python_runtime.py   which Python runs it, and what the sandbox must mount for it
code_session.py     one kernel per session: started, used, ended when idle
kernel_reply.py     the reply of the kernel, and what the model reads of it
code_executor.py    the tool
"""
