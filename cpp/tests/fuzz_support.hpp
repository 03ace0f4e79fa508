// What the fuzz targets share: bytes read as numbers, and a fault as an abort.
#pragma once

#include <cstdlib>
#include <iostream>

#include "tests/byte_reader.hpp"
#include "tests/near.hpp"

namespace mineodds::testing {

// libFuzzer and cpp/tests/fuzz_main.cpp keep the input that aborted.
inline void expect(bool holds, const char* what) {
    if (holds) return;
    std::cerr << "engines disagree: " << what << "\n";
    std::abort();
}

}  // namespace mineodds::testing
