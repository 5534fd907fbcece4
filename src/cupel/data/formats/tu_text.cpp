#include "cupel/data/formats/tu_text.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <system_error>

#include "cupel/base/byte_order_mark.h"
#include "cupel/base/error.h"
#include "cupel/data/formats/claims.h"
#include "cupel/data/formats/file.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBlock = std::size_t{1} << 18;  // stays in cache between copy and parse
constexpr std::size_t kLongestLine = std::size_t{1} << 24;

// The files without which there is no set of graphs: what a prefix is recognised by.
constexpr std::string_view kRequired[] = {"_A.txt", "_graph_indicator.txt", "_graph_labels.txt"};

// The part of a file's name before such an ending, else "". Hidden files do not count: macOS leaves
// some beside every file.
std::string prefix_of(std::string_view file_name) {
  if (file_name.starts_with('.')) return "";
  for (const std::string_view ending : kRequired) {
    if (file_name.ends_with(ending)) {
      return std::string(file_name.substr(0, file_name.size() - ending.size()));
    }
  }
  return "";
}

// One of `found`, "" if there is none.
std::string only_one(const std::set<std::string>& found, const std::string& where) {
  if (found.size() > 1) {
    fail("{}: holds files of more than one set of graphs ({}); keep each in a folder of its own",
         where, quoted_list({found.begin(), found.end()}));
  }
  return found.empty() ? "" : *found.begin();
}

std::vector<fs::path> regular_files(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code problem;
  for (fs::directory_iterator at(folder, problem), end; !problem && at != end;
       at.increment(problem)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) out.push_back(at->path());
  }
  if (problem) {
    fail("{}: the folder cannot be read ({}); check its permissions", folder.string(),
         problem.message());
  }
  std::sort(out.begin(), out.end());  // the system gives them in any order
  return out;
}

}  // namespace

LineBlocks::LineBlocks(std::string name, std::uint64_t bytes, Source source)
    : name_(std::move(name)), bytes_(bytes), source_(std::move(source)), buffer_(kBlock + 1) {}

bool LineBlocks::next(std::string_view& block) {
  std::memmove(buffer_.data(), buffer_.data() + start_, end_ - start_);
  end_ -= start_;
  start_ = 0;
  std::size_t searched = 0;  // no line feed before
  while (!ended_) {
    const std::size_t room = buffer_.size() - 1 - end_;  // one byte for a last line feed
    const std::size_t got = source_(buffer_.data() + end_, room);
    end_ += got;
    if (got == 0) ended_ = true;
    if (ended_ && end_ > 0 && buffer_[end_ - 1] != '\n') buffer_[end_++] = '\n';
    if (first_ && (end_ >= kByteOrderMark.size() || ended_)) {
      first_ = false;
      if (std::string_view(buffer_.data(), end_).starts_with(kByteOrderMark)) {
        searched = start_ = kByteOrderMark.size();
      }
    }
    const void* last = memrchr(buffer_.data() + searched, '\n', end_ - searched);
    if (last != nullptr) {
      const auto size = static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.data());
      block = {buffer_.data() + start_, size + 1 - start_};
      start_ = size + 1;
      passed_ += block.size();
      return true;
    }
    searched = end_;
    if (end_ > kLongestLine) {
      fail("{}: has a line of more than {} MiB; this is not a text file in this format", name_,
           kLongestLine >> 20);
    }
    if (end_ + 1 >= buffer_.size()) buffer_.resize(2 * buffer_.size());
  }
  return false;
}

void LineBlocks::fail_at(std::uint64_t line, std::string_view message) const {
  fail("{}: line {}: {}", name_, line, message);
}

std::optional<TuFiles> TuFiles::in_zip(const fs::path& path) {
  auto archive = std::make_shared<ZipArchive>(path);
  std::set<std::string> found;  // folder and prefix
  for (const ZipMember& member : archive->members()) {
    const std::size_t slash = member.name.rfind('/') + 1;
    const std::string prefix = prefix_of(std::string_view(member.name).substr(slash));
    if (!prefix.empty()) found.insert(member.name.substr(0, slash) + prefix);
  }
  const std::string only = only_one(found, path.string());
  if (only.empty()) return std::nullopt;
  std::uint64_t unpacked = 0, packed = 0;
  for (const ZipMember& member : archive->members()) {
    unpacked += member.size;
    packed += member.packed_size;
  }
  check_unpacked(path.string(), unpacked, packed, "unpack the archive and give the folder");
  TuFiles out;
  const std::size_t slash = only.rfind('/') + 1;
  out.folder_ = path.parent_path();
  out.archive_ = std::move(archive);
  out.inside_ = only.substr(0, slash);
  out.prefix_ = only.substr(slash);
  return out;
}

std::optional<TuFiles> TuFiles::in_folder(const fs::path& folder) {
  std::error_code ignored;
  std::vector<fs::path> archives;
  for (const fs::path& place : {folder, folder / "raw"}) {
    if (place != folder && !fs::is_directory(place, ignored)) continue;
    std::set<std::string> found;
    for (const fs::path& file : regular_files(place)) {
      const std::string prefix = prefix_of(file.filename().string());
      if (!prefix.empty()) found.insert(prefix);
      if (file.extension() == ".zip" && place == folder) archives.push_back(file);
    }
    const std::string only = only_one(found, place.string());
    if (only.empty()) continue;
    TuFiles out;
    out.folder_ = place;
    out.prefix_ = only;
    return out;
  }
  std::optional<TuFiles> out;
  for (const fs::path& archive : archives) {
    std::optional<TuFiles> files = in_zip(archive);
    if (!files) continue;
    if (out) {
      fail("{}: holds more than one archive with a set of graphs; give the path of the one to read",
           folder.string());
    }
    out = std::move(files);
  }
  return out;
}

std::string TuFiles::name(const std::string& ending) const {
  if (archive_) return fmt::format("{}: {}{}{}", archive_->name(), inside_, prefix_, ending);
  return (folder_ / (prefix_ + ending)).string();
}

std::optional<LineBlocks> TuFiles::find_in_folder(const std::string& ending) const {
  const fs::path path = folder_ / (prefix_ + ending);
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return std::nullopt;
  auto file = std::make_shared<InputFile>(path);
  const auto read = [file, done = std::uint64_t{0}](char* out, std::size_t most) mutable {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, file->size() - done));
    file->read(done, out, size);
    done += size;
    return size;
  };
  return LineBlocks(path.string(), file->size(), read);
}

std::optional<LineBlocks> TuFiles::find(const std::string& ending) const {
  if (!archive_) return find_in_folder(ending);
  const ZipMember* member = archive_->find(inside_ + prefix_ + ending);
  if (member == nullptr) return std::nullopt;
  // The stream refers to the archive, so both live in what reads.
  auto stream = std::make_shared<ZipStream>(archive_->open(*member));
  const auto read = [archive = archive_, stream](char* out, std::size_t most) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(most, stream->remaining()));
    if (size > 0) stream->read(out, size);
    return size;
  };
  return LineBlocks(name(ending), member->size, read);
}

LineBlocks TuFiles::open(const std::string& ending) const {
  if (std::optional<LineBlocks> found = find(ending)) return *std::move(found);
  fail("{}: there is no such file, and a set of graphs needs it; get the set again", name(ending));
}

std::optional<LineBlocks> TuFiles::find_beside(const std::string& ending) const {
  if (std::optional<LineBlocks> found = find(ending)) return found;
  return archive_ ? find_in_folder(ending) : std::nullopt;
}

}  // namespace cupel
