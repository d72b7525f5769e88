"""Which section of which spec wrote what a request was sent with, told from built manifests."""
