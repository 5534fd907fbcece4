#include "cupel/data/records/xml_stream.h"

#include <expat.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

#include "cupel/base/error.h"
#include "cupel/base/utf8.h"
#include "cupel/base/visible.h"
#include "cupel/data/formats/text.h"

namespace cupel {
namespace {

constexpr int kDeepest = 256;
// Blocks have one size, however the file is packed: what is not whole is looked at again with each.
constexpr std::size_t kBlock = std::size_t{64} << 10;
constexpr std::size_t kLongestName = 1024;
constexpr std::uint64_t kLongestToken = std::uint64_t{1} << 20;

std::string_view local_name(const char* name) {
  const char* const colon = std::strchr(name, ':');
  return colon == nullptr ? name : colon + 1;
}

}  // namespace

std::string_view XmlStream::Attributes::operator[](std::string_view name) const {
  for (const char** at = list_; at[0] != nullptr; at += 2)
    if (name == at[0]) return at[1];
  return {};
}

template <class Body>
void XmlStream::guarded(const Body& body) {
  if (problem_) return;
  try {
    body();
  } catch (const Error& error) {
    problem_ = std::make_exception_ptr(
        Error(fmt::format("{}: line {}: {}", bytes_.name(), line(), error.what())));
  } catch (...) {
    problem_ = std::current_exception();
  }
  if (problem_) XML_StopParser(parser_.get(), XML_FALSE);
}

struct XmlStream::Calls {
  static XmlStream& of(void* user) { return *static_cast<XmlStream*>(user); }
  // Only told of: there is none that expat does not know.
  static int unknown_encoding(void* user, const char* name, XML_Encoding*) {
    of(user).encoding_ = name;
    return XML_STATUS_ERROR;
  }
  static void start(void* user, const char* name, const char** attributes) {
    XmlStream& self = of(user);
    self.guarded([&] {
      if (++self.depth_ > kDeepest)
        fail("elements are nested deeper than {}; correct the file", kDeepest);
      if (std::strlen(name) > kLongestName)
        fail("an element's name has more than {} bytes; correct the file", kLongestName);
      self.handler_.start_element(local_name(name), Attributes(attributes));
    });
  }
  static void end(void* user, const char* name) {
    XmlStream& self = of(user);
    --self.depth_;
    self.guarded([&] { self.handler_.end_element(local_name(name)); });
  }
  static void characters(void* user, const char* text, int size) {
    XmlStream& self = of(user);
    self.guarded([&] { self.handler_.characters({text, static_cast<std::size_t>(size)}); });
  }
  static void doctype(void* user, const char*, const char*, const char*, int) {
    of(user).guarded([] {
      fail(
          "there is a document type, which could define what expands without end; remove "
          "<!DOCTYPE ...>");
    });
  }
};

XmlStream::XmlStream(const std::filesystem::path& file, ReadProgress progress, Handler& handler)
    : bytes_(file, {1}, std::move(progress)),
      handler_(handler),
      parser_(XML_ParserCreate(nullptr), &XML_ParserFree) {
  if (!parser_) throw std::bad_alloc();
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(parser_.get(), &Calls::start, &Calls::end);
  XML_SetStartDoctypeDeclHandler(parser_.get(), &Calls::doctype);
  XML_SetUnknownEncodingHandler(parser_.get(), &Calls::unknown_encoding, this);
}

XmlStream::~XmlStream() = default;

void XmlStream::pause() { XML_StopParser(parser_.get(), XML_TRUE); }

void XmlStream::want_characters(bool wanted) {
  XML_SetCharacterDataHandler(parser_.get(), wanted ? &Calls::characters : nullptr);
}

std::uint64_t XmlStream::line() const { return XML_GetCurrentLineNumber(parser_.get()); }

bool XmlStream::read_on() {
  while (!done_) {
    const int status = paused_ ? XML_ResumeParser(parser_.get()) : feed();
    if (problem_) std::rethrow_exception(problem_);
    if (status == XML_STATUS_ERROR) refuse();
    paused_ = status == XML_STATUS_SUSPENDED;
    if (paused_) return true;
    done_ = last_;
    const XML_Index begun = XML_GetCurrentByteIndex(parser_.get());
    if (begun >= 0 && fed_ > static_cast<std::uint64_t>(begun) + kLongestToken) {
      fail("{}: line {}: a tag, comment or instruction has more than {} MiB; correct the file",
           bytes_.name(), line(), kLongestToken >> 20);
    }
  }
  return false;
}

// Gives the parser the next block; its status.
int XmlStream::feed() {
  void* const room = XML_GetBuffer(parser_.get(), static_cast<int>(kBlock));
  if (room == nullptr) throw std::bad_alloc();
  std::size_t size = 0;
  while (size < kBlock && !last_) {
    if (block_.empty() && !bytes_.next(block_)) {
      last_ = true;
      break;
    }
    const std::size_t more = std::min(block_.size(), kBlock - size);
    std::memcpy(static_cast<char*>(room) + size, block_.data(), more);
    block_.remove_prefix(more);
    size += more;
  }
  fed_ += size;
  return XML_ParseBuffer(parser_.get(), static_cast<int>(size), last_);
}

void XmlStream::refuse() {
  const XML_Error code = XML_GetErrorCode(parser_.get());
  const auto where = [this] { return fmt::format("{}: line {}", bytes_.name(), line()); };
  if (fed_ == 0) fail("{}: the file is empty; get it again", bytes_.name());
  if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
  if (last_ && (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
                code == XML_ERROR_PARTIAL_CHAR || code == XML_ERROR_UNCLOSED_CDATA_SECTION))
    fail("{}: the document has no end here; the file is cut off, get it again", where());
  if (code == XML_ERROR_UNKNOWN_ENCODING)
    fail("{}: the encoding that it declares, {}, is not known; convert the file to UTF-8", where(),
         printable(encoding_));
  int at = 0, size = 0;
  const char* const context = XML_GetInputContext(parser_.get(), &at, &size);
  if (code == XML_ERROR_INVALID_TOKEN && context != nullptr && at >= 0 && at < size) {
    const std::string_view rest(context + at, static_cast<std::size_t>(std::min(size - at, 4)));
    if (is_no_utf8(utf8_char(rest, 0))) {
      fail("{}: {} is not UTF-8; convert the file to UTF-8, or name its encoding in <?xml ...?>",
           where(), in_quotes(rest.substr(0, 1)));
    }
  }
  fail("{}: this is not well-formed XML ({}); correct it, or get the file again", where(),
       XML_ErrorString(code));
}

}  // namespace cupel
