// Runs a fuzz target where the compiler has no libFuzzer: `fuzz_NAME [inputs] [seed]` feeds it
// random bytes. The same seed gives the same inputs everywhere. A target aborts on the first fault;
// the seed and the number of the input are printed before.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argument_count, char** arguments) {
    const unsigned long inputs =
        argument_count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 10000;
    const unsigned long seed = argument_count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 1;
    std::mt19937_64 random(seed);
    std::vector<std::uint8_t> bytes;
    std::cerr << "seed " << seed << "\n";
    for (unsigned long input = 0; input < inputs; ++input) {
        bytes.resize(random() % 256);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
        if (input % 1000 == 0) std::cerr << "input " << input << "\n";
        if (LLVMFuzzerTestOneInput(bytes.data(), bytes.size()) != 0) return 1;
    }
    std::cout << inputs << " inputs passed\n";
    return 0;
}
