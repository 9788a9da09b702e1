"""The proof kernel: theorems in Coq, pinned by full text, and the machinery that lets Coq decide about them."""
