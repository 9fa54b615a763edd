"""Reading and counting in several processes of this machine."""
