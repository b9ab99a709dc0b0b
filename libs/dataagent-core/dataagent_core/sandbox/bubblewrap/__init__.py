"""The sandbox of this machine: bubblewrap, its mounts and its processes."""
