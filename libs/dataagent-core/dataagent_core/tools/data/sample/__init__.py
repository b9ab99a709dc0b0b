"""The sample warehouse: a made-up shop, the same on every machine.

shop.py      a year of customers, products, orders, order lines and events, with some dirt
"""

from dataagent_core.tools.data.sample.shop import ShopSize, make_shop

__all__ = ["ShopSize", "make_shop"]
