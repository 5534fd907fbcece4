#include "cupel/lab/store/shared_disk.h"

#include <sys/vfs.h>

#include <algorithm>
#include <array>

namespace cupel {
namespace {

// From linux/magic.h, and where that lacks them from the file systems' own headers.
constexpr std::array<std::uint32_t, 13> kShared = {
    0x6969,      // NFS
    0x517B,      // SMB
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB 2
    0x5346414F,  // AFS
    0x6B414653,  // kAFS
    0x00C36400,  // Ceph
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS
    0x19830326,  // BeeGFS
    0x7461636F,  // OCFS2
    0x01161970,  // GFS2
    0x01021997,  // 9P
};

}  // namespace

bool is_shared_type(std::uint32_t type) {
  return std::find(kShared.begin(), kShared.end(), type) != kShared.end();
}

bool is_shared_disk(const std::filesystem::path& path) {
  struct statfs about {};
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  if (::statfs(path.c_str(), &about) != 0 && ::statfs(folder.c_str(), &about) != 0) return false;
  return is_shared_type(static_cast<std::uint32_t>(about.f_type));
}

}  // namespace cupel
