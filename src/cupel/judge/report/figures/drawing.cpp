#include "cupel/judge/report/figures/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cupel/judge/report/print.h"

namespace cupel::drawing {

const char* const kStyle =
    "<style>"
    ".cb text{font:12px system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#737373}"
    ".cb .cb-title{font-weight:600;font-size:13px}"
    ".cb .cb-small{font-size:11px}"
    ".cb .cb-grid{stroke:#808080;stroke-opacity:.25}"
    ".cb .cb-axis{stroke:#808080;stroke-opacity:.7}"
    ".cb .cb-whisker{stroke:#5b8ac0;stroke-width:1.2;fill:none}"
    ".cb .cb-box{fill:#5b8ac0;fill-opacity:.35;stroke:#5b8ac0;stroke-width:1.2}"
    ".cb .cb-median{stroke:#2f6cb3;stroke-width:2.4}"
    ".cb .cb-out{fill:#5b8ac0;fill-opacity:.55}"
    ".cb .cb-pub{fill:#d9822b}"
    ".cb .cb-mean{fill:#fff;stroke:#2f6cb3;stroke-width:1.3}"
    "@media (prefers-color-scheme:light){.cb text{fill:#333}}"
    "@media (prefers-color-scheme:dark){.cb text{fill:#d4d4d4}.cb .cb-median{stroke:#9cc3ee}}"
    "</style>\n";

std::string px(double value) { return fmt::format("{}", std::round(value * 100) / 100 + 0.0); }

Axis axis_over(double low, double high, double most) {
  if (high - low < 1e-9) {
    low -= 0.5;
    high += 0.5;
  }
  const double pad = 0.04 * (high - low);
  Axis axis{low - pad, high + pad, 1, 0};
  const double rough = (axis.to - axis.from) / most;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0}) {
    axis.step = factor * power;
    if (axis.step >= rough) break;
  }
  axis.decimals = std::max(0, -static_cast<int>(std::floor(std::log10(axis.step) + 1e-9)));
  return axis;
}

std::string diamond(double x, double y) {
  return fmt::format("<path class=\"cb-pub\" d=\"M{} {}l5 -5l5 5l-5 5z\"/>", px(x - 5), px(y));
}

std::string dot(double x, double y) {
  return fmt::format("<circle class=\"cb-mean\" cx=\"{}\" cy=\"{}\" r=\"2.1\"/>", px(x), px(y));
}

std::string line(const char* kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>", kind, px(x1),
                     px(y1), px(x2), px(y2));
}

std::string text(const char* kind, const char* anchor, double x, double y,
                 const std::string& what) {
  return fmt::format("<text class=\"{}\" text-anchor=\"{}\" x=\"{}\" y=\"{}\">{}</text>", kind,
                     anchor, px(x), px(y), report::xml_escaped(what));
}

}  // namespace cupel::drawing
