"""Intervals and tests by resampling documents, from counts alone.

    units               what is drawn: documents or blocks of documents, within strata
    sampling_options    how: the method, the level, and the random numbers
    resampled_scores    one metric of several systems on the same units: `Resampled.of` gives
                        standard errors, intervals, differences and influences
    intervals           all of this for the scores of one response
    effective           how many units of equal size the units count as
    cautions            why intervals should be read with care

The methods are in `jackknife`, `bootstrap` and `significance`. They see neither documents nor
metrics, only rows, which are what each unit adds, and a function that scores sums of rows. So they
work for whatever is a function of sums.
"""
