"""What each metric counted in each document: all that scores and statistics need."""
