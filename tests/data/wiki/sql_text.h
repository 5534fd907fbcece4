// Dumps for tests: made ones, given in blocks of any size, and a reader that is slow and plain.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cupel/data/formats/byte_source.h"

namespace cupel::test::sql {

// A text in blocks of a size.
class Blocks : public ByteSource {
 public:
  Blocks(std::string text, std::size_t size) : text_(std::move(text)), size_(size) {}
  bool next(std::string_view& block) override {
    if (at_ == text_.size()) return false;
    // In memory of its own, so that sanitizers see whoever looks beyond it or at an old one.
    block_ = std::make_unique<std::string>(text_, at_, size_);
    at_ += block_->size();
    block = *block_;
    return true;
  }
  const std::string& name() const override { return name_; }

 private:
  std::string text_, name_ = "made.sql";
  std::size_t size_, at_ = 0;
  std::unique_ptr<std::string> block_;
};

inline constexpr std::size_t kBlockSizes[] = {1, 2, 3, 7, 64, 4096, std::size_t{1} << 20};

// As mysqldump writes it, columns of any type.
inline std::string create_table(const std::string& table, const std::vector<std::string>& columns) {
  std::string out = "--\n-- Table structure for table `" + table + "`\n--\n\n" +
                    "DROP TABLE IF EXISTS `" + table + "`;\n" +
                    "/*!40101 SET character_set_client = utf8 */;\nCREATE TABLE `" + table +
                    "` (\n";
  for (const std::string& column : columns) {
    out += "  `" + column + "` decimal(10,2) unsigned NOT NULL DEFAULT '), `x` (',\n";
  }
  return out + "  PRIMARY KEY (`" + columns[0] + "`),\n  KEY `k` (`" + columns[0] +
         "`(7)),\n  CONSTRAINT `c` CHECK (`" + columns[0] +
         "` > 0)\n) ENGINE=InnoDB COMMENT='a;b' DEFAULT CHARSET=binary;\n\n";
}

inline std::string dump_of(const std::string& table, const std::vector<std::string>& columns,
                           const std::string& rows) {
  return "/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\n#x ' \n\n" +
         create_table(table, columns) + "LOCK TABLES `" + table + "` WRITE;\n" + "INSERT INTO `" +
         table + "` VALUES " + rows + ";\nUNLOCK TABLES;\n\n-- Dump completed on 2026-01-01\n";
}

// The rows of a dump, read character by character: a text as "'" and what it holds, anything else
// as it is written.
inline std::vector<std::vector<std::string>> slow_rows(std::string_view dump) {
  std::vector<std::vector<std::string>> rows;
  const std::string_view begin = " VALUES (";
  for (std::size_t at = 0; (at = dump.find("\nINSERT INTO ", at)) != dump.npos;) {
    at = dump.find(begin, at) + begin.size() - 1;
    while (dump[at] == '(') {
      rows.emplace_back();
      do {
        std::string value;
        ++at;
        if (dump[at] != '\'') {
          while (dump[at] != ',' && dump[at] != ')') value += dump[at++];
        } else {
          value += dump[at++];
          while (dump[at] != '\'' || dump[at + 1] == '\'') {
            char c = dump[at++];
            if (c == '\'') ++at;
            if (c == '\\') {
              c = dump[at++];
              const std::string_view from = "0bnrtZ", to("\0\b\n\r\t\x1a", 6);
              if (from.find(c) != from.npos) c = to[from.find(c)];
            }
            value += c;
          }
          ++at;
        }
        rows.back().push_back(value);
      } while (dump[at] == ',');
      at += 1 + (dump[at + 1] == ',');
    }
  }
  return rows;
}

}  // namespace cupel::test::sql
