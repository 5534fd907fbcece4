// The LaTeX tables without a document around them.
#include "cupel/judge/report/latex.h"
#include "cupel/judge/report/report.h"

namespace cupel {
namespace {

std::string render_fragment(const Report& report, const Results&) { return latex_fragment(report); }

}  // namespace

extern const Format format_latex_fragment;
const Format format_latex_fragment = {
    "latex-fragment", "tex", "booktabs tables alone, labelled, for \\input", render_fragment};

}  // namespace cupel
