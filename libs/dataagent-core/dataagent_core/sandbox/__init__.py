"""Sandbox: how the agent's hands reach the world without leaving their room."""
