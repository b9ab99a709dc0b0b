"""Memories of people over REST (S3, S0 property 54); core's `MemoryService` keeps and finds them.

memory_record.py   what a person writes of a memory and asks of their memories
"""
