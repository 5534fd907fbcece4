// Starting the process that keeps a program: a child of ours with descriptors at known numbers.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include "cupel/lab/isolation/control_group.h"
#include "cupel/lab/isolation/process.h"

namespace cupel {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void set(int fd) {
    close();
    fd_ = fd;
  }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

// Forks and becomes bubblewrap or a warden, in `group` if there is one, with nothing of ours open.
// `output` is where it and the program write (never blocks us), `status` where it tells how the
// program fares, in lines of JSON (likewise), and `gate` waits for a byte before the program
// begins. Throws Error if no process can be made.
[[nodiscard]] pid_t start_keeper(const ProcessRequest& request, const ControlGroup* group,
                                 Descriptor& output, Descriptor& status, Descriptor& gate);

}  // namespace cupel
