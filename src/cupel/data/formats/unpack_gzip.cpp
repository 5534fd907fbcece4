#include <zlib.h>

#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/unpacker.h"

namespace cupel {
namespace {

class GzipUnpacker final : public Unpacker {
 public:
  GzipUnpacker(HashedFile& file, const ReadPlace& place)
      : Unpacker(file, place),
        input_(piece_size(16 * file.size())),
        text_(piece_size(16 * file.size())) {
    if (inflateInit2(&inflater_, 16 + MAX_WBITS) != Z_OK) {
      fail("{}: no memory is left to unpack it; close other programs", file.name());
    }
  }
  ~GzipUnpacker() override { inflateEnd(&inflater_); }
  GzipUnpacker(const GzipUnpacker&) = delete;
  GzipUnpacker& operator=(const GzipUnpacker&) = delete;

  std::string_view next() override {
    inflater_.next_out = text_.data();
    inflater_.avail_out = static_cast<uInt>(text_.size());
    while (inflater_.avail_out == text_.size()) {
      if (inflater_.avail_in == 0 && !refill()) return {};
      if (!in_member_) {
        while (inflater_.avail_in > 0 && *inflater_.next_in == 0)  // padding, as tapes have it
          ++inflater_.next_in, --inflater_.avail_in;
        if (inflater_.avail_in == 0) continue;
        inflateReset(&inflater_);
        in_member_ = true;
      }
      const int status = inflate(&inflater_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        in_member_ = false;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        fail_damaged("gzip", inflater_.msg ? inflater_.msg : "bad data");
      }
    }
    return {reinterpret_cast<const char*>(text_.data()), text_.size() - inflater_.avail_out};
  }
  std::uint64_t packed() const override { return file_.done(); }
  const char* way_out() const override {
    return "unpack the file with gunzip and give it unpacked";
  }

 private:
  bool refill() {
    inflater_.next_in = input_.data();
    inflater_.avail_in = static_cast<uInt>(file_.read(input_.data(), input_.size()));
    if (inflater_.avail_in == 0 && in_member_) fail_cut_off();
    return inflater_.avail_in > 0;
  }

  z_stream inflater_{};  // zlib keeps its address
  bool in_member_ = true;
  std::vector<unsigned char> input_, text_;
};

}  // namespace

std::unique_ptr<Unpacker> unpack_gzip(HashedFile& file, const ReadPlace& place) {
  return std::make_unique<GzipUnpacker>(file, place);
}

}  // namespace cupel
