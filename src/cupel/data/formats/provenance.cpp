#include "cupel/data/formats/provenance.h"

#include "cupel/base/paths.h"
#include "cupel/data/formats/file.h"

namespace cupel {

namespace fs = std::filesystem;

fs::path provenance_path(const fs::path& data) {
  return plain_path(data).string() + ".provenance.json";
}

void write_with_provenance(const fs::path& data, std::string_view provenance,
                           const std::function<void()>& write) {
  const fs::path beside = provenance_path(data);
  OutputFile account(beside);
  account.write(provenance.data(), provenance.size());
  std::error_code ignored;
  fs::remove(beside, ignored);
  write();
  account.commit();
}

}  // namespace cupel
