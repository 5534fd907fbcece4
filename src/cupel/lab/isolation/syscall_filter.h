// The system calls that a program is denied: those for memory that belongs to no process.
#pragma once

#include <linux/filter.h>

#include <span>

namespace cupel {

// System V shared memory, queues and semaphores outlive their makers and are in no process's
// account; keys of the kernel outlive their makers too, and tell the next run; secret memory and
// what a ring pins is in no account once it is unmapped. A program that asks for them is told that
// the kernel has none. So is any call of another architecture's table, which would be a way around.
// Instructions for seccomp; static storage.
[[nodiscard]] std::span<const sock_filter> syscall_filter();

}  // namespace cupel
