"""Files opened beneath a root by the kernel (`openat2`), whatever links and races do."""
