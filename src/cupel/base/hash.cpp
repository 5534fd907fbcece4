#include "cupel/base/hash.h"

#include <openssl/evp.h>

#include <fstream>
#include <stdexcept>
#include <vector>

#include "cupel/base/error.h"

namespace cupel {

struct Hasher::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  Impl() {
    if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("libcrypto offers no SHA-256");
  }
  ~Impl() { EVP_MD_CTX_free(context); }
};

Hasher::Hasher() : impl_(std::make_unique<Impl>()) {}
Hasher::~Hasher() = default;

Hasher& Hasher::bytes(const void* data, std::size_t size) {
  EVP_DigestUpdate(impl_->context, data, size);
  return *this;
}

Hasher& Hasher::field(std::string_view text) {
  field(static_cast<std::int64_t>(text.size()));
  return bytes(text.data(), text.size());
}

Hasher& Hasher::field(std::int64_t number) { return bytes(&number, sizeof number); }

std::string Hasher::hex() {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(impl_->context, digest, &size);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  return Hasher().bytes(bytes.data(), bytes.size()).hex();
}

std::string sha256_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    fail("{}: cannot be opened for reading; check the path and its permissions", path.string());
  Hasher hasher;
  std::vector<char> buffer(1 << 18);
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0)
    hasher.bytes(buffer.data(), static_cast<std::size_t>(in.gcount()));
  if (in.bad()) fail("{}: reading failed half-way; check the disk", path.string());
  return hasher.hex();
}

}  // namespace cupel
