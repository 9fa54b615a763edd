"""Files and objects of other tools: ACE APF, ECB+, brat, BookNLP, CoreNLP, WebAnno, spaCy."""
