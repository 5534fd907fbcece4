#include "cupel/data/formats/xml.h"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "cupel/base/error.h"
#include "cupel/data/formats/file.h"

namespace cupel {
namespace {

constexpr int kDeepest = 256;
constexpr std::uint64_t kBlock = 1 << 20;
constexpr std::uint64_t kLongestTag = 16 << 20;

std::string local_name(const char* name) {
  const std::string text = name;
  return text.substr(text.find(':') == std::string::npos ? 0 : text.find(':') + 1);
}

// Exceptions may not pass through the C library: they wait here.
struct Reading {
  XML_Parser parser;
  const XmlHandler& handler;
  std::string name;
  std::exception_ptr problem;
  int depth = 0;

  template <class Action>
  void guarded(Action action) {
    if (problem) return;
    try {
      action();
    } catch (const Error& error) {
      problem = std::make_exception_ptr(Error(
          fmt::format("{}: line {}: {}", name, XML_GetCurrentLineNumber(parser), error.what())));
    } catch (...) {
      problem = std::current_exception();
    }
    if (problem) XML_StopParser(parser, XML_FALSE);
  }
};

Reading& reading_of(void* user) { return *static_cast<Reading*>(user); }

void on_start(void* user, const char* name, const char** attributes) {
  Reading& reading = reading_of(user);
  reading.guarded([&] {
    if (++reading.depth > kDeepest) fail("elements are nested deeper than {}", kDeepest);
    XmlHandler::Attributes list;
    for (; attributes[0]; attributes += 2) list.emplace_back(attributes[0], attributes[1]);
    reading.handler.start(local_name(name), list);
  });
}

void on_end(void* user, const char* name) {
  Reading& reading = reading_of(user);
  --reading.depth;
  reading.guarded([&] { reading.handler.end(local_name(name)); });
}

void on_text(void* user, const char* text, int size) {
  Reading& reading = reading_of(user);
  reading.guarded(
      [&] { reading.handler.text(std::string_view(text, static_cast<std::size_t>(size))); });
}

void on_doctype(void* user, const char*, const char*, const char*, int) {
  reading_of(user).guarded([] {
    fail("has a document type, which could define what expands without end; remove <!DOCTYPE ...>");
  });
}

}  // namespace

void read_xml(const std::filesystem::path& path, const XmlHandler& handler) {
  const InputFile file(path);
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate(nullptr), &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  Reading reading{parser.get(), handler, file.name(), nullptr};
  XML_SetUserData(parser.get(), &reading);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  XML_SetStartDoctypeDeclHandler(parser.get(), on_doctype);
  std::string block;
  for (std::uint64_t at = 0; at < file.size() || at == 0;) {
    const std::uint64_t size = std::min(kBlock, file.size() - at);
    block.resize(static_cast<std::size_t>(size));
    if (size > 0) file.read(at, block.data(), block.size());
    at += size;
    const bool last = at >= file.size();
    const auto status = XML_Parse(parser.get(), block.data(), static_cast<int>(size), last);
    if (reading.problem) std::rethrow_exception(reading.problem);
    if (status != XML_STATUS_OK) {
      fail("{}: line {}: is not well-formed XML ({}); get the file again", file.name(),
           XML_GetCurrentLineNumber(parser.get()), XML_ErrorString(XML_GetErrorCode(parser.get())));
    }
    if (last) break;
    // A tag that goes on is looked at from its start with every block.
    const XML_Index done = XML_GetCurrentByteIndex(parser.get());
    if (done >= 0 && at > static_cast<std::uint64_t>(done) + kLongestTag) {
      fail("{}: line {}: a tag of more than {} MiB; this is not a file of this format", file.name(),
           XML_GetCurrentLineNumber(parser.get()), kLongestTag >> 20);
    }
  }
}

}  // namespace cupel
