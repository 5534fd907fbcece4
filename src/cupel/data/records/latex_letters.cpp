#include "cupel/data/records/latex_letters.h"

#include <algorithm>
#include <array>

#include "cupel/base/utf8.h"
#include "cupel/data/text/normal_form.h"

namespace cupel {
namespace {

// An accent's command, its combining mark, and the letters that Unicode has with it (NFC).
struct Accent {
  char command;
  char32_t mark;
  std::string_view letters;
  std::u16string_view composed;
};

// clang-format off
constexpr auto kAccents = std::to_array<Accent>({
    {'`', 0x300, "aeinouwyAEINOUWY", u"àèìǹòùẁỳÀÈÌǸÒÙẀỲ"},
    {'\'', 0x301, "acegiklmnoprsuwyzACEGIKLMNOPRSUWYZ", u"áćéǵíḱĺḿńóṕŕśúẃýźÁĆÉǴÍḰĹḾŃÓṔŔŚÚẂÝŹ"},
    {'^', 0x302, "aceghijosuwyzACEGHIJOSUWYZ", u"âĉêĝĥîĵôŝûŵŷẑÂĈÊĜĤÎĴÔŜÛŴŶẐ"},
    {'~', 0x303, "aeinouvyAEINOUVY", u"ãẽĩñõũṽỹÃẼĨÑÕŨṼỸ"},
    {'=', 0x304, "aegiouyAEGIOUY", u"āēḡīōūȳĀĒḠĪŌŪȲ"},
    {'u', 0x306, "aegiouAEGIOU", u"ăĕğĭŏŭĂĔĞĬŎŬ"},
    {'.', 0x307, "abcdefghmnoprstwxyzABCDEFGHIMNOPRSTWXYZ", u"ȧḃċḋėḟġḣṁṅȯṗṙṡṫẇẋẏżȦḂĊḊĖḞĠḢİṀṄȮṖṘṠṪẆẊẎŻ"},
    {'"', 0x308, "aehiotuwxyAEHIOUWXY", u"äëḧïöẗüẅẍÿÄËḦÏÖÜẄẌŸ"},
    {'r', 0x30a, "auwyAU", u"åůẘẙÅŮ"},
    {'H', 0x30b, "ouOU", u"őűŐŰ"},
    {'v', 0x30c, "acdeghijklnorstuzACDEGHIKLNORSTUZ", u"ǎčďěǧȟǐǰǩľňǒřšťǔžǍČĎĚǦȞǏǨĽŇǑŘŠŤǓŽ"},
    {'d', 0x323, "abdehiklmnorstuvwyzABDEHIKLMNORSTUVWYZ", u"ạḅḍẹḥịḳḷṃṇọṛṣṭụṿẉỵẓẠḄḌẸḤỊḲḶṂṆỌṚṢṬỤṾẈỴẒ"},
    {'c', 0x327, "cdeghklnrstCDEGHKLNRST", u"çḑȩģḩķļņŗşţÇḐȨĢḨĶĻŅŖŞŢ"},
    {'k', 0x328, "aeiouAEIOU", u"ąęįǫųĄĘĮǪŲ"},
    {'b', 0x331, "bdhklnrtzBDKLNRTZ", u"ḇḏẖḵḻṉṟṯẕḆḎḴḺṈṞṮẔ"},
});
// clang-format on

struct Letter {
  std::string_view command, text;
};
constexpr auto kLetters = std::to_array<Letter>({
    {"o", "ø"},  {"O", "Ø"},  {"l", "ł"},  {"L", "Ł"},  {"ss", "ß"}, {"ae", "æ"}, {"AE", "Æ"},
    {"oe", "œ"}, {"OE", "Œ"}, {"aa", "å"}, {"AA", "Å"}, {"dh", "ð"}, {"DH", "Ð"}, {"dj", "đ"},
    {"DJ", "Đ"}, {"th", "þ"}, {"TH", "Þ"}, {"ng", "ŋ"}, {"NG", "Ŋ"}, {"i", "ı"},  {"j", "ȷ"},
});

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char at_or_none(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : 0; }

std::size_t append_command(std::string_view text, std::size_t at, std::string& out, bool nested);

// A second accent over a letter that has one, as in "\~{\^e}" and "\~{ê}": the bytes of the letter
// at text[at]; 0 if Unicode has no such letter.
std::size_t append_twice_accented(char32_t mark, std::string_view text, std::size_t at,
                                  std::string& out) {
  if (at >= text.size()) return 0;
  std::string letter;
  std::size_t taken = 0;
  if (text[at] == '\\') {
    taken = append_command(text, at, letter, true);
  } else if (const Utf8Char one = utf8_char(text, at); one.bytes > 1) {
    taken = static_cast<std::size_t>(one.bytes);
    letter = text.substr(at, taken);
  }
  if (letter.empty()) return 0;
  append_utf8(letter, mark);
  const std::string composed = nfc(letter);
  if (static_cast<std::size_t>(utf8_char(composed, 0).bytes) != composed.size()) return 0;
  out += composed;
  return taken;
}

// The accented letter whose accent stands at text[at - 1]: the bytes with accent and backslash; 0
// if there is no letter for it.
std::size_t append_accented(const Accent& accent, std::string_view text, std::size_t at,
                            std::string& out, bool nested) {
  const std::size_t from = at;
  while (at_or_none(text, at) == ' ') ++at;
  const bool braced = at_or_none(text, at) == '{';
  if (braced) ++at;
  if (is_letter(accent.command) && at == from) return 0;  // \varphi
  const bool next_to_it = at == from;
  const char next = at_or_none(text, at + 1);
  const bool dotless = at_or_none(text, at) == '\\' && (next == 'i' || next == 'j') &&
                       !is_letter(at_or_none(text, at + 2));
  if (dotless) ++at;
  const char letter = at_or_none(text, at);
  if (!is_letter(letter)) {
    // Without a brace it may be an apostrophe that is escaped: "D\'Ângelo".
    const std::size_t taken =
        braced && !nested ? append_twice_accented(accent.mark, text, at, out) : 0;
    if (taken == 0) return 0;
    at += taken;
    if (at_or_none(text, at) == '}') ++at;
    return at - from + 2;
  }
  ++at;
  if (dotless && at_or_none(text, at) == ' ') ++at;
  if (braced && at_or_none(text, at) == '}') ++at;
  const std::size_t k = accent.letters.find(letter);
  if (k != std::string_view::npos) {
    append_utf8(out, accent.composed[k]);
  } else if (next_to_it && (accent.command == '\'' || accent.command == '`')) {
    // "O\'Brien", as databases and scripts escape it: no name has such a letter.
    out += accent.command;
    return 2;
  } else {
    out += letter;
    append_utf8(out, accent.mark);
  }
  return at - from + 2;
}

// As append_latex(); `nested`: below another accent, where no third one is looked for.
std::size_t append_command(std::string_view text, std::size_t at, std::string& out, bool nested) {
  const char first = at_or_none(text, at + 1);
  if (first == 0) return 0;
  for (const Accent& accent : kAccents) {
    if (accent.command != first) continue;
    const std::size_t taken = append_accented(accent, text, at + 2, out, nested);
    if (taken > 0) return taken;
  }
  if (std::string_view("&%#_$ ").find(first) != std::string_view::npos) {
    out += first;
    return 2;
  }
  if (first == '-') return 2;  // where a word may be parted
  std::size_t end = at + 1;
  while (is_letter(at_or_none(text, end)) && end - at <= 3) ++end;
  const std::string_view command = text.substr(at + 1, end - at - 1);
  const auto found = std::ranges::find(kLetters, command, &Letter::command);
  if (found == kLetters.end()) return 0;
  out += found->text;
  if (at_or_none(text, end) == ' ') return end + 1 - at;
  return text.substr(end).starts_with("{}") ? end + 2 - at : end - at;
}

}  // namespace

std::size_t append_latex(std::string_view text, std::size_t at, std::string& out) {
  return append_command(text, at, out, false);
}

}  // namespace cupel
