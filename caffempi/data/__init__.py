"""What feeds a net: record sources, decoding, transforms, shards, prefetch threads. Start at `feed.open_feed`."""
