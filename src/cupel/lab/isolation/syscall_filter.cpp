#include "cupel/lab/isolation/syscall_filter.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace cupel {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t kFirstForeign = 0x40000000;  // the x32 table
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t kFirstForeign = 0xffffffff;
#else
#error "syscall_filter: say which AUDIT_ARCH_ this architecture is"
#endif

// Newer than some headers; the same on every architecture.
constexpr std::uint32_t kIoUringSetup = 425, kMemfdSecret = 447;

constexpr sock_filter load(std::size_t offset) {
  return {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<std::uint32_t>(offset)};
}
// Goes on `yes` or `no` instructions further.
constexpr sock_filter jump(std::uint16_t test, std::uint32_t value, std::uint8_t yes,
                           std::uint8_t no) {
  return {static_cast<std::uint16_t>(BPF_JMP | test | BPF_K), yes, no, value};
}
constexpr sock_filter result(std::uint32_t value) { return {BPF_RET | BPF_K, 0, 0, value}; }

constexpr sock_filter kFilter[] = {
    load(offsetof(seccomp_data, arch)),    jump(BPF_JEQ, kArchitecture, 0, 10),
    load(offsetof(seccomp_data, nr)),      jump(BPF_JGE, kFirstForeign, 8, 0),
    jump(BPF_JEQ, __NR_shmget, 7, 0),      jump(BPF_JEQ, __NR_msgget, 6, 0),
    jump(BPF_JEQ, __NR_semget, 5, 0),      jump(BPF_JEQ, __NR_add_key, 4, 0),
    jump(BPF_JEQ, __NR_request_key, 3, 0), jump(BPF_JEQ, __NR_keyctl, 2, 0),
    jump(BPF_JEQ, kMemfdSecret, 1, 0),     jump(BPF_JEQ, kIoUringSetup, 0, 1),
    result(SECCOMP_RET_ERRNO | ENOSYS),    result(SECCOMP_RET_ALLOW),
};

}  // namespace

std::span<const sock_filter> syscall_filter() { return kFilter; }

}  // namespace cupel
