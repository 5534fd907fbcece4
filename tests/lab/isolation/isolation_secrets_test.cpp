// A program that looks for what is not its task: labels, results, other processes, the network.
#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#include "lab/isolation/attack.h"

namespace cupel {
namespace {

using made::Attack;
using made::Isolated;
using made::read_text;
using made::Variable;
using made::write_text;

class Secrets : public Isolated {};
INSTANTIATE_TEST_SUITE_P(Isolation, Secrets, ::testing::Values("required", "none"),
                         made::isolation_name);

bool says(const RunRecord& record, const std::string& text) {
  return record.message.find(text) != std::string::npos;
}

TEST_P(Secrets, TheEnvironmentIsAnAllowList) {
  const Variable data("CUPEL_DATA", "/where/labels/are"), secret("MY_TOKEN", "hush"),
      threads("OMP_SCHEDULE", "static"), other("CUPEL_TASKS", "no"), key("NVIDIA_API_KEY", "hush");
  Attack attack(GetParam());
  const RunRecord record = attack.shell("env | sort; exit 1");
  EXPECT_TRUE(says(record, "OMP_SCHEDULE=static")) << record.message;
  EXPECT_TRUE(says(record, "CUPEL_TASK="));
  EXPECT_TRUE(says(record, "PATH="));
  for (const char* hidden : {"CUPEL_DATA", "MY_TOKEN", "CUPEL_TASKS", "hush", "/where"})
    EXPECT_FALSE(says(record, hidden)) << hidden;
  if (!kept_apart()) return;
  // Nor in what the kernel tells of the processes that it sees.
  const RunRecord seen =
      attack.shell("cat /proc/[0-9]*/environ | tr '\\0' '\\n' | sort -u; exit 1");
  EXPECT_TRUE(says(seen, "OMP_SCHEDULE=static")) << seen.message;
  EXPECT_FALSE(says(seen, "hush")) << seen.message;
}

TEST_P(Secrets, DataAndStoresAreOutOfReach) {
  Attack attack(GetParam());
  const auto data = attack.folder() / "data", store = attack.folder() / "x.sqlite";
  std::filesystem::create_directory(data);
  write_text(data / "labels", "label-secret");
  write_text(store, "label-secret");
  write_text(attack.outside("elsewhere"), "label-secret");
  write_text(attack.folder() / "notes", "beside-secret");
  attack.hidden = {data, store};
  std::filesystem::create_directory_symlink(data, attack.folder() / "link");
  // What is not kept apart could do it to this machine, as root.
  const std::string unmounting = kept_apart() ? "umount data 2>/dev/null; umount /proc;" : "";
  const RunRecord record =
      attack.shell("cat data/labels x.sqlite link/labels ../elsewhere notes; ls data;\n" +
                   unmounting + " cat data/labels; exit 1");
  EXPECT_EQ(says(record, "label-secret"), !kept_apart()) << record.message;
  EXPECT_TRUE(says(record, "beside-secret")) << record.message;
  EXPECT_EQ(record.isolation, kept_apart() ? "bubblewrap" : "none");
}

// As where the files of negatives lie beside the graph.
TEST_P(Secrets, AFileInAHiddenFolderMayBeHiddenToo) {
  Attack attack(GetParam());
  const auto data = attack.folder() / "data";
  std::filesystem::create_directory(data);
  write_text(data / "negatives.csv", "negative-secret");
  attack.hidden = {data, data / "negatives.csv"};
  const RunRecord record = attack.shell("echo started; cat data/negatives.csv; exit 1");
  EXPECT_TRUE(says(record, "started")) << record.message;
  EXPECT_EQ(says(record, "negative-secret"), !kept_apart()) << record.message;
}

TEST_P(Secrets, TheFoldersOfTheUserAreOutOfReach) {
  if (!kept_apart())
    GTEST_SKIP() << "needs bubblewrap: elsewhere a program sees the user's folders";
  const made::TempFolder home;
  const Variable variable("HOME", (home / "").string());
  write_text(home / "diary", "home-secret");
  Attack attack(GetParam());
  const RunRecord record = attack.shell(fmt::format(
      "cat {0}/diary $HOME/diary; ls /home /mnt /media /srv /var/lib /run /work; ls /tmp;\n"
      "touch $HOME/here && echo writable; exit 1",
      (home / "").string()));
  EXPECT_FALSE(says(record, "home-secret")) << record.message;
  EXPECT_TRUE(says(record, "writable")) << record.message;
  EXPECT_FALSE(std::filesystem::exists(home / "here"));
}

// Shown that the attack works where nothing stops it, as far as the kernel lets a program look.
TEST_P(Secrets, OurMemoryCannotBeRead) {
  const std::string secret = std::string("cupel-labels-") + std::to_string(::getpid());
  Attack attack(GetParam());
  const RunRecord record = attack.in_python(fmt::format(R"(
import os, sys
needle = ("cupel-labels" + "-{}").encode()
seen = 0
for name in os.listdir("/proc"):
    if not name.isdigit() or int(name) == os.getpid():
        continue
    seen += 1
    try:
        maps = open(f"/proc/{{name}}/maps").read().splitlines()
        memory = open(f"/proc/{{name}}/mem", "rb", 0)
        if open(f"/proc/{{name}}/stat").read().split()[0] != "{}" and int(name) != os.getppid():
            continue
    except OSError:
        continue
    for line in maps:
        words = line.split()
        if "rw" not in words[1] or "[v" in line:
            continue
        begin, end = (int(x, 16) for x in words[0].split("-"))
        try:
            memory.seek(begin)
            if end - begin < 1 << 28 and needle in memory.read(end - begin):
                print("FOUND in", name)
        except OSError:
            pass
print("processes:", seen)
sys.exit(1)
)",
                                                        ::getpid(), ::getpid()));
  ASSERT_TRUE(says(record, "processes: ")) << record.message;
  if (kept_apart()) {
    EXPECT_FALSE(says(record, "FOUND")) << record.message;
    EXPECT_TRUE(says(record, "processes: 1")) << record.message;  // the first one of its namespace
  } else if (::geteuid() == 0) {
    EXPECT_TRUE(says(record, "FOUND")) << record.message;
  }
  EXPECT_FALSE(secret.empty());  // in our memory until here
}

TEST_P(Secrets, TheMachineCannotBeChanged) {
  if (!kept_apart()) GTEST_SKIP() << "needs bubblewrap: elsewhere a program may change the machine";
  Attack attack(GetParam());
  const RunRecord record = attack.in_python(R"(
import os, sys, ctypes
places = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches",
          "/sys/kernel/mm/transparent_hugepage/enabled", "/usr/here", "/etc/here", "/here",
          "/dev/here", "here", "/proc/1/mem", sys.argv[1] + "/task.npz"]
for place in places:
    try:
        os.close(os.open(place, os.O_WRONLY | (0 if place.startswith("/proc") else os.O_CREAT)))
        print("OPENED", place)
    except OSError:
        pass
libc = ctypes.CDLL(None)
if libc.unshare(0x10000000) == 0:
    print("OPENED a user namespace")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0:
    print("OPENED a mount")
print("done")
sys.exit(1)
)");
  EXPECT_TRUE(says(record, "done")) << record.message;
  EXPECT_FALSE(says(record, "OPENED")) << record.message;
  EXPECT_FALSE(std::filesystem::exists(attack.folder() / "here"));
}

TEST_P(Secrets, WhatWeHaveOpenIsNotHandedOn) {
  made::TempFolder folder;
  write_text(folder / "open", "descriptor-secret");
  const int file = ::open((folder / "open").c_str(), O_RDONLY);  // without O_CLOEXEC
  ASSERT_GE(file, 0);
  Attack attack(GetParam());
  const RunRecord record = attack.shell("cat <&" + std::to_string(file) +
                                        "; for i in 3 4 5 6 7 8 9; do cat <&$i; done; exit 1");
  ::close(file);
  EXPECT_FALSE(says(record, "descriptor-secret")) << record.message;
}

TEST_P(Secrets, TheNetworkIsThereIfTheProtocolSaysSo) {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener, 5), 0);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const std::string program = fmt::format(
      "import socket, sys\nsocket.create_connection(('127.0.0.1', {}), 5)\nprint('CONNECTED')\n"
      "sys.exit(1)\n",
      ntohs(address.sin_port));
  EXPECT_EQ(says(Attack(GetParam()).in_python(program), "CONNECTED"), !kept_apart());
  EXPECT_TRUE(says(Attack(GetParam()).in_python(program, "network = true"), "CONNECTED"));
  ::close(listener);
}

}  // namespace
}  // namespace cupel
