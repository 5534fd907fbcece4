#include <bit>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/formats/bzip2_ahead.h"
#include "cupel/data/formats/bzip2_magic.h"
#include "cupel/data/formats/unpacker.h"

namespace cupel {
namespace {

using Outcome = Bzip2Block::Outcome;

// Goes from block to block: where one ends, the next begins, or its stream ends and another begins
// at the next byte. What other threads unpack ahead is only ever asked for at such places, so that
// it changes nothing.
class Bzip2Unpacker final : public Unpacker {
 public:
  Bzip2Unpacker(HashedFile& file, const ReadPlace& place, Threads threads)
      : Unpacker(file, place),
        bits_(file.file()),
        read_(piece_size(file.size())),
        ahead_(file.file(), threads) {}

  std::string_view next() override {
    while (true) {
      if (block_) {
        const std::string_view text = block_->next();
        if (block_->outcome() != Outcome::kGood) fail_block();
        if (!text.empty()) return text;
        end_block();
      } else if (in_stream_) {
        next_part();
      } else if (!begin_stream()) {
        return {};
      }
    }
  }
  std::uint64_t packed() const override { return ((block_ ? block_->end_bit() : at_) + 7) / 8; }
  const char* way_out() const override {
    return "unpack the file with bunzip2 and give it unpacked";
  }

 private:
  // False at the end of the file.
  bool begin_stream() {
    at_ = (at_ + 7) / 8 * 8;
    if (at_ == bits_.size()) {
      read_to(file_.size());
      return false;
    }
    static constexpr std::uint64_t kHead = 0x425a68;  // "BZh"
    const std::uint64_t there = bits_.size() - at_, head = bits_.at(at_, 32);
    if (there < 32 && head >> (32 - there) == kHead >> (24 - there)) fail_cut_off();
    level_ = static_cast<int>(head & 0xff) - '0';
    if (there < 32 || head >> 8 != kHead || level_ < 1 || level_ > 9)
      damaged("something else follows its last stream", at_);
    at_ += 32;
    combined_ = 0;
    in_stream_ = true;
    return true;
  }

  void next_part() {
    if (at_ + 80 > bits_.size()) fail_cut_off();
    const std::uint64_t magic = bits_.at(at_, 48);
    const auto checksum = static_cast<std::uint32_t>(bits_.at(at_ + 48, 32));
    if (magic == kBzip2Block) {
      combined_ = std::rotl(combined_, 1) ^ checksum;  // libbz2 compares the block's own
      look_ahead();
      block_ = ahead_.take(at_, level_);
      if (block_->outcome() == Outcome::kGood) read_to(packed());
    } else if (magic == kBzip2End) {
      if (checksum != combined_) damaged("its stream has another checksum", at_);
      at_ += 80;
      in_stream_ = false;
    } else {
      damaged("neither a block nor the end of a stream", at_);
    }
  }

  // One of 8 bits is that behind the block; only there can a block or an end begin.
  void end_block() {
    const std::uint64_t last = block_->end_bit();
    block_.reset();
    const std::uint64_t bits = bits_.at(last - 7, 55);
    for (int back = 7; back >= 0; --back) {
      const std::uint64_t magic = bits >> back & 0xffff'ffff'ffff;
      if (magic != kBzip2Block && magic != kBzip2End) continue;
      at_ = last - static_cast<std::uint64_t>(back);
      return;
    }
    if (last + 48 > bits_.size()) fail_cut_off();
    damaged("neither a block nor the end of a stream", last);
  }

  [[noreturn]] void fail_block() const {
    if (block_->outcome() == Outcome::kCutOff) fail_cut_off();
    damaged(block_->outcome() == Outcome::kBadCodes ? "a block is no such"
                                                    : "a block has another checksum",
            at_);
  }
  [[noreturn]] void damaged(const char* what, std::uint64_t bit) const {
    fail_damaged("bzip2", fmt::format("{}, at byte {}", what, bit / 8));
  }

  // Reads the next piece of the file; false at its end.
  bool read_on() {
    const std::size_t got = file_.read(read_.data(), read_.size());
    if (!ahead_.alone()) finder_.find(read_.data(), got, found_);
    return got > 0;
  }
  void read_to(std::uint64_t byte) {
    while (file_.done() < byte && read_on()) forget_before(8 * byte - 16);
  }
  void forget_before(std::uint64_t bit) {
    while (next_found_ < found_.size() && found_[next_found_] < bit) ++next_found_;
    if (next_found_ < found_.size()) return;
    found_.clear();
    next_found_ = 0;
  }

  // Offers the places that blocks may begin at, from this one on. Where none is found, it does not
  // run through the file.
  void look_ahead() {
    const std::uint64_t furthest = at_ / 8 + ahead_.most() * read_.size();
    forget_before(at_);
    while (ahead_.wants_more()) {
      if (next_found_ < found_.size()) {
        ahead_.offer(found_[next_found_++], level_);
      } else if (file_.done() < furthest) {
        if (!read_on()) return;
        forget_before(at_);
      } else {
        return;
      }
    }
  }

  FileBits bits_;
  std::uint64_t at_ = 0;  // bit at which the next part begins, or that of the block
  bool in_stream_ = false;
  int level_ = 0;
  std::uint32_t combined_ = 0;  // checksum of the stream so far
  std::shared_ptr<Bzip2Block> block_;

  std::vector<unsigned char> read_;
  Bzip2BlockFinder finder_;
  std::vector<std::uint64_t> found_;  // bits, ascending; those before next_found_ were offered
  std::size_t next_found_ = 0;
  Bzip2Ahead ahead_;
};

}  // namespace

std::unique_ptr<Unpacker> unpack_bzip2(HashedFile& file, const ReadPlace& place, Threads threads) {
  return std::make_unique<Bzip2Unpacker>(file, place, threads);
}

}  // namespace cupel
