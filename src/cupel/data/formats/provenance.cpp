#include "cupel/data/formats/provenance.h"

#include "cupel/data/formats/file.h"

namespace cupel {

namespace fs = std::filesystem;

fs::path provenance_path(const fs::path& data) {
  const fs::path plain = data.has_filename() || data.empty() ? data : data.parent_path();
  return plain.string() + ".provenance.json";
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
