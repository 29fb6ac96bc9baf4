// Damage to GLSL that leaves many texts valid.
#pragma once

#include <string>

#include "fuzz/mutate.h"

namespace fuzz {

/// One change: of a line, a number, an operator or a name. Nothing nests deeper than it did, since
/// the compiler's front end recurses.
void mutate_text(std::string& text, Dice& dice);

}  // namespace fuzz
