#include "cupel/base/hash.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/base/regular_file.h"

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
  const int file = open_regular_file(path);
  Hasher hasher;
  std::vector<char> buffer(1 << 18);
  ssize_t got = 0;
  while ((got = ::read(file, buffer.data(), buffer.size())) > 0 || (got < 0 && errno == EINTR))
    hasher.bytes(buffer.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  ::close(file);
  if (got < 0) fail("{}: reading failed half-way; check the disk", path.string());
  return hasher.hex();
}

}  // namespace cupel
