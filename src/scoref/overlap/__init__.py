"""How many mentions each key entity shares with each response entity."""
