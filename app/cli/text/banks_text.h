// A workgroup's shared-memory banks and global sectors as tables.
#pragma once

#include "core/report/banks.h"

namespace cli {

void print_banks(const core::Trace& trace, const core::BankReport& report);

}  // namespace cli
