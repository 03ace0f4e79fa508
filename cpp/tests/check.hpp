// A test harness of one header, so that the C++ tests need nothing but a compiler. The macros are
// spelled as in doctest: TEST_CASE("name") { ... }, CHECK(condition), REQUIRE(condition) (ends the
// case), CHECK_THROWS_AS(expression, Exception), INFO-like context through CHECK_MESSAGE.
// cpp/tests/main.cpp runs the cases.
#pragma once

#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace mineodds::testing {

struct Case {
    std::string name;
    void (*body)();
};

// Every TEST_CASE of the program, in order of registration.
inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}

// Failed checks of the case that runs now.
inline int& failures() {
    static int count = 0;
    return count;
}

// Thrown by REQUIRE to leave a case; the failure is counted before.
struct Abandoned {};

struct Registration {
    Registration(std::string name, void (*body)()) { cases().push_back({std::move(name), body}); }
};

inline void report(const char* file, int line, const std::string& what) {
    ++failures();
    std::cerr << file << ":" << line << ": " << what << "\n";
}

// Runs a case and returns whether all of its checks held; an escaping exception is a failure.
inline bool passes(const Case& test) {
    failures() = 0;
    try {
        test.body();
    } catch (const Abandoned&) {
        // Already reported.
    } catch (const std::exception& error) {
        report(test.name.c_str(), 0, std::string("unexpected exception: ") + error.what());
    } catch (...) {
        report(test.name.c_str(), 0, "unexpected exception of unknown type");
    }
    return failures() == 0;
}

}  // namespace mineodds::testing

#define MINEODDS_JOIN_(a, b) a##b
#define MINEODDS_JOIN(a, b) MINEODDS_JOIN_(a, b)

#define MINEODDS_CASE_(title, function)                                                    \
    static void function();                                                                \
    static const ::mineodds::testing::Registration MINEODDS_JOIN(function, _registration){ \
        title, function};                                                                  \
    static void function()
#define TEST_CASE(title) MINEODDS_CASE_(title, MINEODDS_JOIN(mineodds_case_, __LINE__))

#define CHECK_MESSAGE(condition, message)                                           \
    do {                                                                            \
        if (!(condition)) ::mineodds::testing::report(__FILE__, __LINE__, message); \
    } while (false)
#define CHECK(...) CHECK_MESSAGE((__VA_ARGS__), "CHECK(" #__VA_ARGS__ ") failed")
#define CHECK_FALSE(...) CHECK_MESSAGE(!(__VA_ARGS__), "CHECK_FALSE(" #__VA_ARGS__ ") failed")
#define REQUIRE(...)                                                                             \
    do {                                                                                         \
        if (!(__VA_ARGS__)) {                                                                    \
            ::mineodds::testing::report(__FILE__, __LINE__, "REQUIRE(" #__VA_ARGS__ ") failed"); \
            throw ::mineodds::testing::Abandoned{};                                              \
        }                                                                                        \
    } while (false)
#define CHECK_THROWS_AS(expression, ...)                                            \
    do {                                                                            \
        bool mineodds_thrown = false;                                               \
        try {                                                                       \
            static_cast<void>(expression);                                          \
        } catch (const __VA_ARGS__&) {                                              \
            mineodds_thrown = true;                                                 \
        }                                                                           \
        CHECK_MESSAGE(mineodds_thrown, #expression " did not throw " #__VA_ARGS__); \
    } while (false)
