"""Pictures and PDF documents of the workspace, as a model is shown them."""
