"""The network of a sandbox: none, or a proxy to allowed hosts."""
