#include "cupel/data/wiki/interwiki.h"

#include <algorithm>
#include <array>

namespace cupel {
namespace {

// Ascending.
// clang-format off
constexpr auto kPrefixes = std::to_array<std::string_view>({
    "aa", "ab", "ace", "acronym", "advogato", "ady", "af", "ak", "als", "alt", "am", "ami", "an",
    "ang", "ann", "anp", "ar", "arc", "arxiv", "ary", "arz", "as", "ast", "atj", "av", "avk", "awa",
    "ay", "az", "azb", "b", "ba", "ban", "bar", "bat-smg", "bbc", "bcl", "bdr", "be", "be-tarask",
    "be-x-old", "betawiki", "bew", "bg", "bh", "bi", "bjn", "blk", "bm", "bn", "bo", "bpy", "br",
    "bs", "btm", "bug", "bugzilla", "bxr", "c", "c2", "ca", "cbk-zam", "cdo", "ce", "ceb", "ch",
    "cho", "chr", "chy", "citizendium", "ckb", "co", "commons", "commonswiki", "cr",
    "creativecommons", "crh", "cs", "csb", "cu", "cv", "cy", "cz", "d", "da", "dag", "dbdump", "de",
    "dga", "din", "diq", "dk", "dmoz", "doi", "dsb", "dtp", "dty", "dv", "dz", "ee", "egl", "el",
    "eml", "en", "eo", "epo", "es", "et", "eu", "ext", "f", "fa", "fat", "ff", "fi", "fiu-vro",
    "fj", "fo", "foldoc", "fon", "foundation", "fr", "freebsdman", "freenode", "frp", "frr", "fur",
    "fy", "ga", "gag", "gan", "gcr", "gd", "gerrit", "git", "github", "gl", "glk", "gn", "gom",
    "googlebooks", "googlegroups", "gor", "got", "gpe", "gsw", "gu", "guc", "gur", "gutenberg",
    "guw", "gv", "ha", "hak", "haw", "he", "hi", "hif", "ho", "hr", "hsb", "ht", "hu", "hy", "hyw",
    "hz", "ia", "iba", "id", "ie", "ig", "igl", "ii", "ik", "ilo", "imdbname", "imdbtitle",
    "incubator", "inh", "io", "is", "iso639-3", "it", "iu", "ja", "jam", "jargonfile", "jbo", "jp",
    "jstor", "jv", "ka", "kaa", "kab", "kaj", "kbd", "kbp", "kcg", "kg", "kge", "ki", "kj", "kk",
    "kl", "km", "kn", "knc", "ko", "koi", "kr", "krc", "ks", "ksh", "ku", "kus", "kv", "kw", "ky",
    "la", "lad", "lb", "lbe", "lez", "lfn", "lg", "li", "libreplanet", "lij", "listarchive", "lld",
    "lmo", "ln", "lo", "lrc", "lt", "ltg", "lv", "lyricwiki", "lzh", "m", "mad", "mai", "mail",
    "mailarchive", "map-bms", "mariowiki", "mathsongswiki", "mdf", "mediawikiwiki", "mediazilla",
    "memoryalpha", "meta", "metawiki", "metawikimedia", "metawikipedia", "mg", "mh", "mhr", "mi",
    "min", "mk", "ml", "mn", "mni", "mnw", "mo", "mos", "mozillawiki", "mr", "mrj", "ms", "mt",
    "mus", "mw", "mwl", "mwod", "my", "myv", "mzn", "n", "na", "nah", "nan", "nap", "nara", "nb",
    "nds", "nds-nl", "ne", "new", "ng", "nia", "nl", "nn", "no", "nost", "nostalgia", "nov", "nqo",
    "nr", "nrm", "nso", "nup", "nv", "ny", "oc", "oeis", "oldwikisource", "olo", "om", "openfacts",
    "openlibrary", "or", "orthodoxwiki", "os", "osmwiki", "otrs", "otrswiki", "outreach",
    "outreachwiki", "pa", "pag", "pam", "pap", "pcd", "pcm", "pdc", "pfl", "phab", "phabricator",
    "pi", "pih", "pl", "pms", "pnb", "pnt", "ps", "pt", "pwn", "q", "qu", "rev", "rfc", "rm", "rmy",
    "rn", "ro", "roa-rup", "roa-tara", "rsk", "ru", "rue", "rup", "rw", "s", "sa", "sah", "sat",
    "sc", "scholar", "scn", "sco", "sd", "se", "sep11", "sg", "sgs", "sh", "shi", "shn", "si",
    "simple", "sk", "skr", "sl", "sm", "smn", "sn", "so", "sourceforge", "spamcheck", "spcom",
    "species", "sq", "sr", "srn", "ss", "st", "stq", "strategy", "strategywiki", "su", "sulutil",
    "sv", "svn", "sw", "syl", "szl", "szy", "ta", "tay", "tcy", "tdd", "te", "ten", "testwiki",
    "testwikidata", "tet", "tg", "th", "ti", "ticket", "tig", "tk", "tl", "tly", "tn", "to", "tok",
    "toolforge", "toollabs", "tpi", "tr", "translatewiki", "trv", "ts", "tswiki", "tt", "tum", "tw",
    "ty", "tyv", "udm", "ug", "uk", "ur", "ursine", "usability", "usej", "usemod", "uz", "v", "ve",
    "vec", "vep", "vi", "viaf", "vls", "vo", "voy", "vro", "vrts", "w", "wa", "war", "wg", "wikia",
    "wikibooks", "wikidata", "wikifunctions", "wikihow", "wikilivres", "wikimania", "wikimedia",
    "wikinews", "wikipedia", "wikipediawikipedia", "wikiquote", "wikisophia", "wikisource",
    "wikispecies", "wikispot", "wikitech", "wikiversity", "wikivoyage", "wikiwikiweb", "wikt",
    "wiktionary", "wm", "wmania", "wmcz", "wmde", "wmf", "wmfr", "wmid", "wmit", "wmnl", "wmno",
    "wmpl", "wmrs", "wmru", "wmse", "wmuk", "wo", "wookieepedia", "wuu", "xal", "xh", "xmf", "yi",
    "yo", "yue", "za", "zea", "zgh", "zh", "zh-cfr", "zh-classical", "zh-cn", "zh-min-nan", "zh-tw",
    "zh-yue", "zu",
});
// clang-format on
static_assert(std::ranges::is_sorted(kPrefixes));

}  // namespace

bool is_interwiki_prefix(std::string_view prefix) {
  return std::ranges::binary_search(kPrefixes, prefix);
}

}  // namespace cupel
