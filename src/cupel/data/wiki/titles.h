// Titles as MediaWiki reads them: which namespace, which page.
//
// Source: MediaWiki's documented rules (mediawiki.org, Help:Namespaces, Manual:Page title,
// Manual:$wgCapitalLinks). Everything here is safe to call from many threads.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace cupel {

inline constexpr int kArticles = 0;     // namespace of articles
inline constexpr int kTalk = 1;         // of their talk pages
inline constexpr int kProject = 4;      // of pages about the wiki itself
inline constexpr int kFiles = 6;        // of media
inline constexpr int kCategories = 14;  // of categories

// One entry of a dump's <namespaces>.
struct WikiNamespace {
  int number = 0;
  std::string name;             // local; "" is the articles'
  bool case_sensitive = false;  // the first letter is as written
};

// The namespaces of one wiki by all their names: those of its dump, MediaWiki's English ones, and
// aliases that every Wikipedia has (Image, Project, WP). A name that the dump gives wins.
class WikiNames {
 public:
  // `language` is what a Wikipedia calls itself in links between languages ("ltg"): such links to
  // itself are its own pages. `spelling` is the language that it is written in: in Turkish (tr),
  // Azerbaijani (az) and Karakalpak (kaa) the capital of 'i' has a dot.
  explicit WikiNames(std::span<const WikiNamespace> own, std::string_view language = {},
                     std::string_view spelling = {});

  // The namespace of that name in any letter case, blanks or '_' between words.
  [[nodiscard]] std::optional<int> number_of(std::string_view name) const;
  [[nodiscard]] bool case_sensitive(int number) const {
    return !case_sensitive_.empty() && case_sensitive_.contains(number);
  }
  // Whether `prefix` leads to another wiki: a language's code or a project's.
  [[nodiscard]] bool is_interwiki(std::string_view prefix) const;
  [[nodiscard]] bool is_own_language(std::string_view prefix) const;
  [[nodiscard]] bool has_dotted_i() const { return dotted_i_; }

 private:
  std::map<std::string, int, std::less<>> numbers_;  // by name with capitals and blanks
  std::set<int> case_sensitive_;
  std::string language_;  // in capitals
  bool dotted_i_;
};

struct WikiTitle {
  int space = kArticles;
  std::string name;       // without the namespace; words parted by one blank
  bool fragment = false;  // of a link: "#..." follows, a part of the page
  // The same page.
  friend bool operator==(const WikiTitle& a, const WikiTitle& b) {
    return a.space == b.space && a.name == b.name;
  }
};

// The page that a link's target names: entities decoded, '_' and runs of white space one blank,
// trimmed, a leading ':' ignored, namespace told, fragment ("#...") cut and told, first letter in
// upper case unless the namespace is case-sensitive. False, and `out` unspecified, where that is no
// page of this wiki: nothing is left of it, characters that titles cannot have ("[]{}|<>",
// controls, bytes that are not UTF-8), "~~~", "." and ".." as steps of a path, a name of more than
// 255 bytes, or another wiki's. Unicode's normal forms are not looked at. Linear.
[[nodiscard]] bool read_title(std::string_view target, const WikiNames& names, WikiTitle& out);
[[nodiscard]] std::optional<WikiTitle> read_title(std::string_view target, const WikiNames& names);

// The title of a page as a dump gives it, which needs no reading: it is only cut behind the
// namespace.
[[nodiscard]] WikiTitle page_title(std::string_view title, const WikiNames& names);

}  // namespace cupel
