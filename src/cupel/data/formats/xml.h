// XML documents from untrusted files, element by element (expat).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cupel {

// Called while a document is read. Names are as in the file without a namespace's prefix.
struct XmlHandler {
  using Attributes = std::vector<std::pair<std::string, std::string>>;
  std::function<void(const std::string& element, const Attributes&)> start;
  std::function<void(const std::string& element)> end;
  std::function<void(std::string_view text)> text;  // in pieces
};

// Reads the file front to back. Document types are refused, and with them entities that could
// expand; nesting may be 256 deep. What a handler throws is passed on, with the file and the line
// before the message of an Error. Throws Error naming file, line and defect.
void read_xml(const std::filesystem::path& path, const XmlHandler& handler);

}  // namespace cupel
