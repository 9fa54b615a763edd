"""The functions that coreference.yaml names; `scoref.integrations.lm_eval` has what is behind."""

from scoref.integrations.lm_eval import aggregate, load_samples, process_results, words_kept

__all__ = ["load_samples", "process_results", "words_kept"]

muc_recall, muc_precision, muc_f1 = map(aggregate, ("muc_recall", "muc_precision", "muc_f1"))
b3_recall, b3_precision, b3_f1 = map(aggregate, ("b3_recall", "b3_precision", "b3_f1"))
ceafe_recall, ceafe_precision = map(aggregate, ("ceafe_recall", "ceafe_precision"))
ceafe_f1 = aggregate("ceafe_f1")
lea_recall, lea_precision, lea_f1 = map(aggregate, ("lea_recall", "lea_precision", "lea_f1"))
conll_f1 = aggregate("conll_f1")
