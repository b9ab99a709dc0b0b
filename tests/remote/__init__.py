"""The terminal attached to a real server: both packages, over loopback, with a scripted model."""
