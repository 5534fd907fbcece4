// Starting the process that keeps a program: a child of ours with descriptors at known numbers.
#pragma once

#include <sys/types.h>

#include "cupel/lab/isolation/control_group.h"
#include "cupel/lab/isolation/descriptor.h"
#include "cupel/lab/isolation/process.h"

namespace cupel {

// Our ends of what leads to a keeper and its program. None of them blocks us.
struct KeeperPipes {
  Descriptor output;  // what both write, but for what is said to a Talk
  Descriptor status;  // how the program fares, in lines of JSON
  Descriptor gate;    // a byte lets the program begin
  // With a Talk: the program's standard output and input, and the other end of the latter, so that
  // to write to a program that has ended raises no signal.
  Descriptor lines, input, input_end;
};

// Forks and becomes bubblewrap or a warden, in `group` if there is one, with nothing of ours open.
// Throws Error if no process can be made.
[[nodiscard]] pid_t start_keeper(const ProcessRequest& request, const ControlGroup* group,
                                 KeeperPipes& pipes);

}  // namespace cupel
