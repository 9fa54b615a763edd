"""How well intervals and tests keep their promises: `make calibration`, from simulated corpora."""
