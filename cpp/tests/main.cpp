// Runs the C++ tests. Arguments are parts of names: only the cases whose name contains one of them
// run. Ends with 'N passed, N failed' and exit code 1 when a case failed or none was found.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "tests/check.hpp"

int main(int argument_count, char** arguments) {
    const std::vector<std::string> wanted(arguments + 1, arguments + argument_count);
    int passed = 0;
    int failed = 0;
    for (const auto& test : mineodds::testing::cases()) {
        const auto named = [&](const std::string& part) {
            return test.name.find(part) != std::string::npos;
        };
        if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), named)) continue;
        if (mineodds::testing::passes(test)) {
            ++passed;
        } else {
            ++failed;
            std::cerr << "FAILED: " << test.name << "\n";
        }
    }
    std::cout << passed << " passed, " << failed << " failed\n";
    return failed == 0 && passed > 0 ? 0 : 1;
}
