// Parts of splits whose class shares are not those of the data.
//
// Two questions. Are the splits stratified: is every class count within one of its expectation
// n_part n_class / n? And if not, do counts differ by more than random sampling makes them:
// Pearson's chi-squared of parts against classes, (parts - 1) (classes - 1) degrees of freedom, the
// p-value by Wilson and Hilferty's approximation (PNAS 1931), times the number of splits
// (Bonferroni).
#include <algorithm>
#include <cmath>

#include "cupel/data/audit/audit.h"
#include "cupel/data/audit/split_parts.h"
#include "cupel/data/audit/wording.h"
#include "cupel/data/labels.h"

namespace cupel {
namespace {

namespace text = audit_text;

constexpr double kSurprising = 1e-3;  // corrected p-value
constexpr double kMatters = 0.05;     // total variation, test against all

struct Shares {
  double chi_squared = 0, df = 0, p = 1;
  double variation = 0;       // total variation distance of test shares from those of all parts
  double largest_excess = 0;  // of a count over its expectation, absolute
  bool training_balanced = false;  // the same number of every class, as by design
};

double chi_squared_p(double x, double df) {
  if (df <= 0 || x <= 0) return 1;
  const double v = 2 / (9 * df);
  return 0.5 * std::erfc((std::cbrt(x / df) - (1 - v)) / std::sqrt(2 * v));
}

Shares shares_of(const AuditSubject& subject, const Split& split) {
  const std::size_t classes = subject.class_sizes.size();
  std::vector<std::array<double, 4>> count(classes);
  std::array<double, 4> part_size{};
  std::vector<double> class_size(classes, 0);
  double all = 0;
  const auto parts = split.parts();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const Index i : *parts[p]) {
      if (!is_labelled(subject.data, i)) continue;
      const auto c = static_cast<std::size_t>(subject.data.labels()[static_cast<std::size_t>(i)]);
      ++count[c][p], ++part_size[p], ++class_size[c], ++all;
    }
  }
  Shares out;
  double present = 0, filled = 0;
  for (const double size : part_size) filled += size > 0;
  for (std::size_t c = 0; c < classes; ++c) {
    if (class_size[c] == 0) continue;
    ++present;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (part_size[p] == 0) continue;
      const double expected = part_size[p] * class_size[c] / all;
      out.chi_squared += (count[c][p] - expected) * (count[c][p] - expected) / expected;
      out.largest_excess = std::max(out.largest_excess, std::abs(count[c][p] - expected));
    }
    if (part_size[2] > 0)
      out.variation += 0.5 * std::abs(count[c][2] / part_size[2] - class_size[c] / all);
  }
  out.df = (present - 1) * (filled - 1);
  out.p = chi_squared_p(out.chi_squared, out.df);
  const double first = classes > 0 ? count[0][0] : 0;
  out.training_balanced =
      classes > 1 && first > 0 &&
      std::all_of(count.begin(), count.end(), [&](const auto& n) { return n[0] == first; });
  return out;
}

void run(const AuditSubject& subject, std::vector<Finding>& findings) {
  const auto& splits = subject.data.stored_splits;
  if (splits.empty() || subject.data.classes() < 2) return;
  std::vector<Shares> all;
  for (const Split& split : splits) all.push_back(shares_of(subject, split));
  const auto unstratified =
      std::count_if(all.begin(), all.end(), [](const Shares& s) { return s.largest_excess > 1; });
  if (unstratified == 0) return;
  const bool by_design =
      std::all_of(all.begin(), all.end(), [](const Shares& s) { return s.training_balanced; });
  const auto worst = static_cast<std::size_t>(
      std::min_element(all.begin(), all.end(),
                       [](const Shares& a, const Shares& b) {
                         return std::pair(a.p, -a.variation) < std::pair(b.p, -b.variation);
                       }) -
      all.begin());
  const double variation =
      std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.variation < b.variation;
      })->variation;
  const double corrected = std::min(1.0, all[worst].p * static_cast<double>(splits.size()));
  const bool surprising = corrected < kSurprising;
  std::vector<double> p, distances;
  for (const Shares& s : all) p.push_back(s.p), distances.push_back(s.variation);

  Finding out;
  out.id = "split-class-shares";
  out.count = unstratified;
  out.severity =
      surprising && variation >= kMatters && !by_design ? Severity::kWarning : Severity::kInfo;
  const std::string which = text::count(unstratified, "split");
  out.title =
      by_design ? fmt::format("training parts have equal classes by design ({})", which)
      : surprising
          ? fmt::format("class shares differ between parts beyond chance ({} not stratified)",
                        which + text::verb(unstratified, " is", " are"))
          : fmt::format("{} not stratified by class",
                        which + text::verb(unstratified, " is", " are"));
  out.evidence = fmt::format(
      "Counts are up to {:.0f} {}s from those of a stratified split. Split {} is the least "
      "likely under random sampling: chi-squared {:.1f}, {:.0f} degrees of freedom, p {} after "
      "correction for {}. Test shares are up to {} from those of all parts (total variation).",
      std::max_element(
          all.begin(), all.end(),
          [](const auto& a, const auto& b) { return a.largest_excess < b.largest_excess; })
          ->largest_excess,
      subject.example, worst, all[worst].chi_squared, all[worst].df,
      corrected < 1e-4 ? std::string("< 0.0001") : fmt::format("= {:.4f}", corrected),
      text::count(static_cast<Offset>(splits.size()), "split"), text::percent(variation));
  out.details = {{"worst_split", worst},
                 {"chi_squared", all[worst].chi_squared},
                 {"degrees_of_freedom", all[worst].df},
                 {"p", all[worst].p},
                 {"p_corrected", corrected},
                 {"largest_total_variation", variation},
                 {"balanced_training", by_design},
                 {"p_per_split", p},
                 {"total_variation_per_split", distances}};
  out.advice = by_design    ? "Mind that training and test have different class shares: a model "
                              "that learns the shares of training is wrong about test."
               : surprising ? "Find out how the splits were drawn; a shift between training and "
                              "test is part of every score. Stratified splits avoid it."
                            : "As random sampling makes it: nothing to mend, a little more spread "
                              "between splits than stratified ones would have.";
  findings.push_back(std::move(out));
}

}  // namespace

extern const AuditCheck audit_check_split_class_shares;
const AuditCheck audit_check_split_class_shares = {
    "split-class-shares", "parts of splits whose class shares are not those of the data", run,
    Concerns::kClasses};

}  // namespace cupel
