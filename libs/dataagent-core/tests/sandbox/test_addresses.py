"""Which IP addresses may be dialled."""

from ipaddress import IPv4Address, IPv6Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.sandbox.network.addresses import explain_refused_address

REFUSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2002:a9fe:a9fe::",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "3fff::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "100::1",
    "5f00::1",
]

ALLOWED = [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.216.34",
    "100.63.255.255",
    "100.128.0.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "198.17.0.1",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    "2002:808:808::1",
]


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_that_is_not_of_the_public_internet_is_refused(address: str) -> None:
    assert explain_refused_address(ip_address(address))


@pytest.mark.parametrize("address", ALLOWED)
def test_an_address_of_the_public_internet_is_allowed(address: str) -> None:
    assert explain_refused_address(ip_address(address)) is None


@given(st.ip_addresses(v=4))
def test_an_address_embedded_in_another_is_judged_as_itself(inner: IPv4Address) -> None:
    number = int(inner)
    outers = [
        (0xFFFF << 32) | number,
        (0xFFFF << 48) | number,
        (0x64FF9B << 96) | number,
        (0x2002 << 112) | (number << 80) | 1,
    ]
    for outer in outers:
        assert explain_refused_address(IPv6Address(outer)) == explain_refused_address(inner)


@given(st.ip_addresses())
def test_what_python_calls_private_or_local_is_never_allowed(
    address: IPv4Address | IPv6Address,
) -> None:
    if (
        address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_unspecified
    ):
        assert explain_refused_address(address)
