"""What a server lists: fetched within limits, kept between starts."""
