"""Split antecedents: entities that stand for several others, and what that is worth."""
