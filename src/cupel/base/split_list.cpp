#include "cupel/base/split_list.h"

#include <algorithm>

#include "cupel/base/error.h"

namespace cupel {

std::vector<std::string> split_list(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    bool settings = false;  // the last piece was a generator with settings
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      const std::string piece = text.substr(begin, end - begin);
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

}  // namespace cupel
