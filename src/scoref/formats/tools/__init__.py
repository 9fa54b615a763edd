"""Files and objects of other tools: ACE APF, brat, BookNLP, CoreNLP, WebAnno, spaCy, Stanza."""
