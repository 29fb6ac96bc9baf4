// A row of LENGTH scores for each query of each head. The second launch replaces them by weights.
layout(binding = 4) buffer Scores { float scores[]; };
