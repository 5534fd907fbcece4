#include <gtest/gtest.h>

#include "data/build/made_text.h"
#include "data/wiki/sql_reading.h"

namespace cupel::test {
namespace {

using namespace sql;

TEST(SqlDump, ComplaintsNameFileRowAndByte) {
  const auto good = [](const std::string& rows) { return dump_of("t", {"a", "b"}, rows); };
  const std::string create = create_table("t", {"a", "b"});
  const std::string insert = "INSERT INTO `t` VALUES ";
  const std::string huge = "(1,'" + std::string((std::size_t{16} << 20) + 1, 'x') + "')";
  const std::pair<std::string, const char*> cases[] = {
      {good("(1,2),(3)"), "row 2 (byte "},
      {good("(1,2),(3)"), "has 1 value where 2 belong"},
      {good("(1,2,3)"), "has 3 values where 2 belong"},
      {good("()"), "');\\x0aUNLOCK TA' stands where a value"},
      {good("(,2)"), "',2);\\x0aUNLOCK ' stands where a value belongs"},
      {good("(1,)"), "stands where a value belongs"},
      {good("(1;2)"), "row 1 (byte "},
      {good("(1(2,3)"), "'(2,3);"},
      {good("(1,'a'b)"), "follows a value, where ',' or ')' belongs"},
      {good("(1,'a' 'b')"), "follows a value"},
      {good("(1,NOW())"), "'NOW());"},
      {good("(1,12ab)"), "follows a value"},
      {good("(1,-)"), "is no number"},
      {good("(1,1e)"), "is no number"},
      {good("(1,0x123)"), "are no bytes in hexadecimal digits"},
      {good("(1,0x)"), "are no bytes in hexadecimal digits"},
      {good("(1,x'4')"), "are no bytes in hexadecimal digits"},
      {good("(1,x'4"), "are no bytes in hexadecimal digits"},
      {good("(1,\x01)"), "'\\x01);"},
      {good("(1,2),;"), "';;\\x0aUNLOCK TA' stands where a row in parentheses belongs"},
      {good("(1,2) (3,4)"), "no ',' or ';' follows"},
      {good("1,2"), "'1,2;\\x0aUNLOCK ' stands where a row in parentheses belongs"},
      {create + insert + "(1,2),(3", "row 2"},
      {create + insert + "(1,2),(3", "the file ends inside the row; it is cut off, get it again"},
      {create + insert + "(1,'abc", "the file ends inside the row"},
      {create + insert + "(1,'abc\\", "the file ends inside the row"},
      {create + insert + "(1,'abc'", "the file ends inside the row"},
      {create + insert + "(1,NU", "the file ends inside the row"},
      {create + insert + "(1,0x4", "the file ends inside the row"},
      {create + insert + "(1,2)", "ends inside INSERT, after"},
      {create + insert + "(1,2),", "ends inside INSERT, after"},
      {create + insert, "ends inside INSERT, after"},
      {create + "INSERT INTO", "ends inside the name of a table, after"},
      {create + "INSERT INTO `t", "ends inside the name of a table, after"},
      {create + "UNLOCK TABLES", "ends inside a statement, after"},
      {create + "/* x", "ends inside a comment, after"},
      {"CREATE TABLE `t` (`a` int,", "ends inside the name of a column, after"},
      {"CREATE TABLE `t` (`a` int", "ends inside CREATE TABLE, after"},
      {"CREATE TABLE `t` (`a` int)", "ends inside a statement, after"},
      {create + insert + huge, "row 1 (byte "},
      {create + insert + huge + ";", "the row has more than 16 MiB"},
      {insert + "(1,2);", "INSERT comes before CREATE TABLE, which names the columns"},
      {"", "holds no CREATE TABLE; give the dump of table 't' as mysqldump wrote it"},
      {"-- only this", "holds no CREATE TABLE"},
      {"<mediawiki xmlns=\"x\">", "byte 0: '<mediawiki x' stands where a statement of SQL belongs"},
      {"\x1f\x8b\x08;", "byte 0: '\\x1f\\x8b\\x08;' stands where"},
      {create_table("u", {"a"}), "holds table 'u', not 't'; give the dump of table 't' alone"},
      {create + create_table("u", {"a"}), "holds table 'u', not 't'"},
      {create + "INSERT INTO `u` VALUES (1,2);", "holds table 'u', not 't'"},
      {"INSERT INTO `u` VALUES (1,2);", "holds table 'u', not 't'"},
      {create + "INSERT INTO `t` (`a`) VALUES (1);", "names the columns 'a' and leaves 'b' out"},
      {create + "INSERT INTO `t` (`a`,`z`) VALUES (1);", "names column 'z', and CREATE TABLE only"},
      {create + "INSERT INTO `t` (`a`,`b` VALUES (1);", "list of columns does not end"},
      {create + "INSERT INTO `t` SET a=1;", "INSERT has 'set' where VALUES belongs"},
      {"CREATE TABLE `t` LIKE `u`;", "'LIKE `u`;' follows CREATE TABLE, where a list of columns"},
      {"CREATE TABLE `t` (PRIMARY KEY (`a`));", "CREATE TABLE has no columns"},
      {"CREATE TABLE `t` (`a` int, `a` int);", "CREATE TABLE has column 'a' twice"},
      {"CREATE TABLE `" + std::string(300, 'n') + "` (`a` int);",
       "the name of a table has more than 256 bytes, 'nnn"},
      {"CREATE TABLE `t` (`a` int, ``);", "the name of a column is missing before ');'"},
  };
  for (const auto& [text, part] : cases) {
    const std::string first = complaint([&, &text = text] { read(text, {"a", "b"}, 4096); });
    EXPECT_TRUE(contains(first, part)) << first;
    EXPECT_EQ(first.substr(0, 9), "made.sql:");
    EXPECT_EQ(first.find('\n'), first.npos);
    if (text.size() > 1000000) continue;
    for (const std::size_t block : kBlockSizes) {
      EXPECT_EQ(complaint([&, &text = text] { read(text, {"a", "b"}, block); }), first);
    }
  }
  std::string wide = "CREATE TABLE `t` (a0 int";
  for (int k = 1; k < 300; ++k) wide += ",a" + std::to_string(k) + " int";
  EXPECT_TRUE(contains(complaint([&] { read(wide + ");", {"a0"}, 64); }), "more than 256 columns"));
  const std::string wanted = complaint([&] { read(good("(1,2)"), {"a", "rd_x"}, 64); });
  EXPECT_EQ(wanted,
            "made.sql: table 't' has no column 'rd_x', only 'a', 'b'; give a dump of MediaWiki's "
            "table");
}

TEST(SqlDump, TheByteIsWhereTheRowBegins) {
  const std::string text = dump_of("t", {"a"}, "(1),(2),(x)");
  const std::string place = "row 3 (byte " + std::to_string(text.find("(x)")) + ")";
  for (const std::size_t block : kBlockSizes) {
    EXPECT_TRUE(contains(complaint([&] { read(text, {"a"}, block); }), place));
  }
}

}  // namespace
}  // namespace cupel::test
