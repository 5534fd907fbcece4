#include "cupel/data/build/wiki_cs/texts.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "cupel/base/error.h"
#include "cupel/base/sort_unique.h"
#include "cupel/data/build/wiki_cs/settings.h"
#include "cupel/data/build/wiki_cs/word_batch.h"
#include "cupel/data/formats/text.h"
#include "cupel/data/wiki/brackets.h"
#include "cupel/data/wiki/dump_xml.h"
#include "cupel/data/wiki/hidden_parts.h"
#include "cupel/data/wiki/templates.h"
#include "cupel/data/wiki/text_links.h"
#include "cupel/data/wiki/visible_text.h"

namespace cupel::wiki_cs {
namespace {

// The model that sentences are told by; none where they are not asked for.
class Sentences {
 public:
  Sentences(BuildContext& context, bool wanted) {
    if (!wanted) return;
    if (context.has("punkt")) read(context, context.path("punkt"));
    model_ = given_ ? &*given_ : &PunktModel::english();
  }
  const PunktModel* model() const { return model_; }

 private:
  void read(BuildContext& context, const std::filesystem::path& folder) {
    given_ = read_punkt(folder);
    for (const char* name : kPunktFiles) {
      const std::filesystem::path file = folder / name;
      FileBytes bytes(std::filesystem::exists(file) ? file : folder / "english" / name, {});
      context.read_to_end("punkt", bytes);
    }
  }

  std::optional<PunktModel> given_;
  const PunktModel* model_ = nullptr;
};

// What the first "[[...]]" of a text names.
std::string first_target(std::string_view wikitext) {
  std::string space, decoded;
  Brackets brackets(without_hidden(wikitext, space));
  std::string_view target;
  if (!brackets.next(target)) return {};
  return std::string(percent_decoded(target, decoded));
}

// Links as texts have them, before it is known where they lead.
class LinksOfTexts {
 public:
  explicit LinksOfTexts(std::span<const Article> articles) : articles_(articles) {
    for (std::size_t a = 0; a < articles.size(); ++a) {
      const Index title = number_of(articles[a].title);
      leads_to_[static_cast<std::size_t>(title)] = {articles[a].page, static_cast<Index>(a)};
    }
    titles_.resize(articles.size());
    names_itself_.resize(articles.size());
  }

  void add_article(Index article, const WikiNames& names, std::string_view text) {
    std::vector<Index>& titles = titles_[static_cast<std::size_t>(article)];
    char& names_itself = names_itself_[static_cast<std::size_t>(article)];
    titles.clear(), names_itself = 0;  // of two pages with one id the last counts
    const std::string& own = articles_[static_cast<std::size_t>(article)].title;
    TextLinks(names).read(text, [&](const WikiTitle& title) {
      if (title.name == own && !title.fragment)
        names_itself = 1;
      else
        titles.push_back(number_of(title.name));
    });
    sort_unique(titles);
  }

  void add_redirect(const WikiPage& page, const WikiNames& names) {
    const std::optional<WikiTitle> title = read_title(
        page.redirect_title.empty() ? first_target(page.text) : std::string(page.redirect_title),
        names);
    if (!title || title->space != kArticles) return;
    const auto found = numbers_.find(title->name);
    if (found == numbers_.end()) return;
    const Lead to = leads_to_[static_cast<std::size_t>(found->second)];
    // Articles were entered before all redirects, with the ids of their own pages.
    if (to.node == kNoNode || articles_[static_cast<std::size_t>(to.node)].page != to.page) return;
    const Index own = number_of(page.title);
    Lead& lead = leads_to_[static_cast<std::size_t>(own)];
    const bool of_article =
        lead.node != kNoNode && lead.page == articles_[static_cast<std::size_t>(lead.node)].page;
    if (of_article && lead.page != page.id) return;
    redirects_ += lead.node == kNoNode;
    lead = {page.id, to.node};
  }

  [[nodiscard]] OutLinks finish(BuildContext& context) const {
    OutLinks out(titles_.size());
    std::int64_t elsewhere = 0;
    std::vector<Lead> leads;
    for (std::size_t a = 0; a < titles_.size(); ++a) {
      leads.clear();
      for (const Index title : titles_[a]) {
        const Lead lead = leads_to_[static_cast<std::size_t>(title)];
        if (lead.node != kNoNode) leads.push_back(lead);
      }
      elsewhere += std::ssize(titles_[a]) - std::ssize(leads);
      std::ranges::sort(leads, {}, &Lead::page);
      for (const Lead& lead : leads) out[a].push_back(lead.node);
    }
    context.count("redirects to nodes", redirects_);
    context.count("articles that name themselves in brackets, which is no link",
                  std::ranges::count(names_itself_, 1));
    context.count("links of nodes to pages that are no nodes, left out", elsewhere);
    return out;
  }

 private:
  struct Lead {
    std::int64_t page = 0;  // whose title it is: the article's, or a redirect's
    Index node = kNoNode;
  };

  Index number_of(std::string_view title) {
    const auto [at, is_new] = numbers_.emplace(title, static_cast<Index>(leads_to_.size()));
    if (is_new) leads_to_.emplace_back();
    return at->second;
  }

  std::span<const Article> articles_;
  std::unordered_map<std::string, Index, TextHash, std::equal_to<>> numbers_;  // of titles
  std::vector<Lead> leads_to_;                                                 // by number
  std::vector<std::vector<Index>> titles_;                                     // per article
  std::vector<char> names_itself_;                                             // the same
  std::int64_t redirects_ = 0;
};

// Dumps older than the element <redirect> tell redirects by their texts alone, which begin with a
// word in the wiki's language: "#REDIRECT [[Oak]]".
bool begins_as_redirect(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  if (!text.substr(begin).starts_with('#')) return false;
  const std::size_t word = std::min(text.find_first_of(" \t\r\n:[#", begin + 1), text.size());
  const std::size_t target = text.find_first_not_of(" \t\r\n:", word);
  return word > begin + 1 && target != std::string_view::npos &&
         text.substr(target).starts_with("[[");
}

// "12" or 12; -1 for anything else.
std::int64_t id_of(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  std::int64_t id = -1;
  if (!value.is_string()) return id;
  const std::string& text = value.get_ref<const std::string&>();
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), id);
  return problem == std::errc() && end == text.data() + text.size() ? id : -1;
}

}  // namespace

OutLinks read_texts(BuildContext& context, const TextSettings& settings,
                    std::span<Article> articles) {
  const NodeOfPage article_of(articles);
  const Sentences sentences(context, settings.sentences);
  WordBatch words(articles, sentences.model(), context.threads());
  std::optional<LinksOfTexts> links;
  if (settings.links) links.emplace(articles);
  std::vector<char> is_disambiguation(articles.size());
  const SiteInfo info = read_siteinfo(context);
  for (const std::filesystem::path& file : context.paths("articles")) {
    FileBytes bytes(file, context.threads(),
                    context.progress("texts of " + file.filename().string()));
    DumpReader dump(bytes);
    const WikiSite site = with_aliases(dump.site(), info, file.string());
    const WikiNames names = names_of(site);
    const WikitextRules rules(wikitext_names(site.namespaces, own_language(site)), settings.tables);
    const WordBatch::Visible visible = [&](std::string_view text) {
      return visible_text(text, rules);
    };
    const bool untold = site.version == "0.3";
    for (WikiPage page; dump.next(page);) {
      if (page.ns != kArticles) continue;
      if (page.redirect || (untold && begins_as_redirect(page.text))) {
        if (links) links->add_redirect(page, names);
        continue;
      }
      const Index article = article_of(page.id);
      if (article == kNoNode) continue;
      if (links) links->add_article(article, names, page.text);
      if (!settings.words) continue;
      const bool leaves = calls_template(page.text, settings.disambiguation);
      is_disambiguation[static_cast<std::size_t>(article)] = leaves;
      words.add(article, leaves ? std::string_view() : page.text, visible);
    }
    words.flush(visible);
    context.read_to_end("articles", bytes);
  }
  if (settings.words)
    context.count("articles with a label that tell titles apart (disambiguation), without text",
                  std::ranges::count(is_disambiguation, 1));
  return links ? links->finish(context) : OutLinks();
}

void read_ready_texts(BuildContext& context, const TextSettings& settings,
                      std::span<Article> articles) {
  const NodeOfPage article_of(articles);
  const Sentences sentences(context, settings.sentences);
  WordBatch words(articles, sentences.model(), context.threads());
  const WordBatch::Visible visible = [](std::string_view text) { return std::string(text); };
  std::int64_t texts = 0;
  for (const std::filesystem::path& file : context.paths("text")) {
    LineReader lines(file, context.progress("text"));
    for (std::string_view line; lines.next(line);) {
      if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
      const auto object = nlohmann::json::parse(line, nullptr, false);
      if (!object.is_object())
        lines.fail_here(
            "is no JSON object; give one a line with id and text, as WikiExtractor "
            "--json writes it");
      const auto id = object.find("id"), text = object.find("text");
      if (id == object.end() || id_of(*id) < 0)
        lines.fail_here("has no id, the number of a page; give \"id\" as WikiExtractor does");
      if (text == object.end() || !text->is_string())
        lines.fail_here("has no text; give \"text\" as WikiExtractor does");
      ++texts;
      if (const Index article = article_of(id_of(*id)); article != kNoNode)
        words.add(article, text->get_ref<const std::string&>(), visible);
    }
    context.read_whole("text", lines);
  }
  words.flush(visible);
  context.count("ready texts", texts);
}

}  // namespace cupel::wiki_cs
