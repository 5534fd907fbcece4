// Who keeps a program where bubblewrap does not: a small process of ours between us and it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cupel {

// Descriptors that run_process hands to a keeper, be it bubblewrap or the warden: where it tells
// how the program fares, in lines of JSON, and from where it reads a byte when it may begin.
inline constexpr int kStatusDescriptor = 3, kGateDescriptor = 4, kFilterDescriptor = 5;

// The program that wardens are: this very one, unless it is said to be another, by its absolute
// path
// ("": there is none). What merely has Cupel loaded, as Python has, cannot be one. To be said
// before anything is started.
void set_warden_program(const std::string& path);
[[nodiscard]] const std::string& warden_program();

// The command that makes that program a warden, which starts `command` (its first word a path)
// with `memory_bytes` of data for each process. The warden adopts whatever the program leaves
// behind, in whatever session it is; when the program has ended, or the gate is closed, or we are
// dead, it kills all of them and ends last, as the program did (a signal is 128 and its number).
// It writes {"exit-code": N}, or {"errno": N} where the program could not be started.
[[nodiscard]] std::vector<std::string> warden_command(const std::vector<std::string>& command,
                                                      std::int64_t memory_bytes);

}  // namespace cupel
