// A row of LENGTH scores for each query of each head; from the second launch on their weights.
layout(binding = 4) buffer Scores { float scores[]; };
