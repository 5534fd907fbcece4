// File systems that several machines write to.
#pragma once

#include <cstdint>
#include <filesystem>

namespace cupel {

// Whether a type of file system, as statfs(2) numbers them, is one of a network or a cluster: NFS,
// SMB, AFS, Ceph, Lustre, GPFS, BeeGFS, OCFS2, GFS2, 9P.
[[nodiscard]] bool is_shared_type(std::uint32_t type);

// Whether `path`, or the folder where it will be, lies on one. False where that cannot be told.
[[nodiscard]] bool is_shared_disk(const std::filesystem::path& path);

}  // namespace cupel
