"""Working on runs in this process: claims, leases, heart-beats, faults."""
