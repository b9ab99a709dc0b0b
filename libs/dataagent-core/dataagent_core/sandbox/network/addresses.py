"""Whether an address on the internet may be dialled: a pure decision over one IP address.

The web tools and the sandbox's proxy ask it before they connect.

The list is our own: Python's `is_global` calls multicast, NAT64 of loopback and Azure's metadata
address global. An IPv4 address inside an IPv6 one is judged as what it leads to.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Address = IPv4Address | IPv6Address

_DENIED_V4 = {
    IPv4Network("0.0.0.0/8"): "this host",
    IPv4Network("10.0.0.0/8"): "private",
    IPv4Network("100.64.0.0/10"): "shared by a carrier, or cloud metadata",
    IPv4Network("127.0.0.0/8"): "loopback",
    IPv4Network("168.63.129.16/32"): "cloud metadata",
    IPv4Network("169.254.0.0/16"): "link-local, or cloud metadata",
    IPv4Network("172.16.0.0/12"): "private",
    IPv4Network("192.0.0.0/24"): "reserved, or cloud metadata",
    IPv4Network("192.0.2.0/24"): "for documentation",
    IPv4Network("192.88.99.0/24"): "reserved",
    IPv4Network("192.168.0.0/16"): "private",
    IPv4Network("198.18.0.0/15"): "for benchmarks",
    IPv4Network("198.51.100.0/24"): "for documentation",
    IPv4Network("203.0.113.0/24"): "for documentation",
    IPv4Network("224.0.0.0/4"): "multicast",
    IPv4Network("240.0.0.0/4"): "reserved",
}

# Everything outside is loopback, private, link-local, multicast or not given out at all.
_GLOBAL_V6 = IPv6Network("2000::/3")
_DENIED_V6 = {
    IPv6Network("2001::/23"): "reserved, or a tunnel",
    IPv6Network("2001:db8::/32"): "for documentation",
    IPv6Network("3fff::/20"): "for documentation",
}

# Where an IPv6 address carries an IPv4 address, and how many bits stand behind it.
_EMBEDDED_V4 = {
    IPv6Network("::ffff:0:0/96"): 0,
    IPv6Network("::ffff:0:0:0/96"): 0,
    IPv6Network("::/96"): 0,
    IPv6Network("64:ff9b::/96"): 0,
    IPv6Network("2002::/16"): 80,
}


def parse_address(text: str) -> Address:
    """Read an address as the resolver writes it, with its zone left off."""
    return ip_address(text.partition("%")[0])


def explain_refused_address(address: Address) -> str | None:
    """Say what kind of address this is if it may not be dialled, else None."""
    if isinstance(address, IPv6Address):
        inner = _extract_embedded_v4(address)
        if inner is None:
            return _explain_refused_v6(address)
        address = inner
    return next((why for network, why in _DENIED_V4.items() if address in network), None)


def _extract_embedded_v4(address: IPv6Address) -> IPv4Address | None:
    for network, bits_behind in _EMBEDDED_V4.items():
        if address in network:
            return IPv4Address((int(address) >> bits_behind) & 0xFFFF_FFFF)
    return None


def _explain_refused_v6(address: IPv6Address) -> str | None:
    if address not in _GLOBAL_V6:
        return "not an address of the internet"
    return next((why for network, why in _DENIED_V6.items() if address in network), None)
