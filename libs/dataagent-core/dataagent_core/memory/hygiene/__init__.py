"""What must not be remembered, and why: each rule refuses with a code and a way out."""
