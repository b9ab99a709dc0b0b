"""Skills and tool compositions, as the API takes and shows them."""
