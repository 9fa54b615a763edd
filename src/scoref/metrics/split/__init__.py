"""Split antecedents: entities that consist of several others, and metrics that count them."""
