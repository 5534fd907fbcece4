#include "cupel/base/split_list.h"

#include "cupel/base/error.h"

namespace cupel {
namespace {

// The next comma from `begin` on that no backslash stands before, or the end.
std::size_t end_of_piece(const std::string& text, std::size_t begin) {
  for (std::size_t i = begin; i < text.size(); ++i)
    if (text[i] == ',' && (i == begin || text[i - 1] != '\\')) return i;
  return text.size();
}

std::string without_backslashes(std::string piece) {
  for (auto at = piece.find("\\,"); at != std::string::npos; at = piece.find("\\,", at + 1))
    piece.erase(at, 1);
  return piece;
}

}  // namespace

std::vector<std::string> split_list(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    bool settings = false;  // the last piece was a generator with settings
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = end_of_piece(text, begin);
      const std::string piece = without_backslashes(text.substr(begin, end - begin));
      begin = end + 1;
      const bool setting =
          piece.find('=') != std::string::npos && piece.find(':') == std::string::npos;
      if (settings && setting) {
        out.back() += "," + piece;
        continue;
      }
      settings = piece.find(':') != std::string::npos && piece.find('/') == std::string::npos;
      if (!piece.empty()) out.push_back(piece);
    }
  }
  // An empty variable of a script must not mean everything.
  if (!given.empty() && out.empty())
    fail("a list of names is empty ('{}'); name something, or leave the option out to take all",
         given.front());
  return out;
}

std::string listed(const std::string& name) {
  // Beside another, as a list of nothing but commas is refused.
  if (split_list({name, "other"}) == std::vector<std::string>{name, "other"}) return name;
  std::string out;
  for (const char c : name) out += c == ',' ? std::string("\\,") : std::string(1, c);
  return out;
}

}  // namespace cupel
