"""Works on runs in this process: claims, leases, heartbeats, faults."""
