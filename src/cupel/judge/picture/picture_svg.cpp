// A picture as SVG: a panel for each colouring, then the names of colours and what is drawn.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "cupel/base/visible.h"
#include "cupel/base/words.h"
#include "cupel/judge/picture/picture.h"
#include "cupel/judge/report/figures/drawing.h"
#include "cupel/judge/report/print.h"

namespace cupel {
namespace {

using namespace drawing;
using report::xml_escaped;

constexpr double kOnePanel = 860, kOfSeveral = 470;  // width of a panel, in pixels
constexpr std::size_t kMostNames = 40;               // in the legend
constexpr std::size_t kLongestName = 48;             // in characters
constexpr double kLine = 15;                         // of the caption

// Lines are behind clusters; both have a rim that parts them on any ground.
const char* const kPictureStyle =
    "<style>"
    ".cb .cm-edge{stroke:#808080;stroke-opacity:.55;stroke-linecap:round}"
    ".cb .cm-node{stroke:#808080;stroke-width:.7}"
    ".cb .cm-none{fill:#808080;fill-opacity:.15;stroke-dasharray:2 2}"
    "@media (prefers-color-scheme:light){.cb .cm-node{stroke:#fff}.cb .cm-none{stroke:#555}}"
    "@media (prefers-color-scheme:dark){.cb .cm-node{stroke:#151515}.cb .cm-none{stroke:#aaa}}"
    "</style>\n";

// Ten that can be told apart on light and dark ground; of more classes, hues by the golden angle.
std::string colour_of(Index one, std::size_t classes) {
  static const char* const kTen[] = {"#3b7dc4", "#e8852b", "#3f9d58", "#d13f4d", "#8d65c5",
                                     "#94684b", "#e07bb5", "#7f8894", "#c2a91f", "#27b0bd"};
  if (classes <= std::size(kTen)) return kTen[one];
  return fmt::format("hsl({:.0f},58%,{}%)", std::fmod(212 + 137.508 * one, 360.0),
                     one % 3 == 0   ? 50
                     : one % 3 == 1 ? 38
                                    : 64);
}

// At most so many characters of UTF-8; what was cut ends in an ellipsis.
std::string shortened(const std::string& name) {
  const std::string text = printable(name);
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) continue;
    if (++characters > kLongestName) return text.substr(0, at) + "…";
  }
  return text;
}

double width_of(const std::string& text) {
  return kLetterWidth * static_cast<double>(std::ranges::count_if(text, [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
         }));
}

// Where the layout is on the page.
class Frame {
 public:
  Frame(const Picture& picture, double width) : width_(width) {
    bool any = false;
    for (std::size_t c = 0; c < picture.mapper.clusters.size(); ++c) {
      if (!picture.mapper.clusters[c].drawn) continue;
      const LensPoint& place = picture.layout.places[c];
      if (!any) low_ = high_ = place;
      any = true;
      for (std::size_t axis = 0; axis < 2; ++axis) {
        low_[axis] = std::min(low_[axis], place[axis]);
        high_[axis] = std::max(high_[axis], place[axis]);
      }
    }
    const double across = high_[0] - low_[0], up = high_[1] - low_[1];
    const double room = width_ - 2 * border();
    const double highest = 0.92 * width_ - 2 * border();
    if (across > 1e-9) scale_ = room / across;
    if (up > 1e-9) scale_ = std::min(scale_ > 0 ? scale_ : highest / up, highest / up);
    left_ = (width_ - scale_ * across) / 2;
    // Where there are many, smaller ones hide each other less.
    shrink_ = std::clamp(std::pow(300.0 / std::max(picture.drawn_clusters(), 1), 0.25), 0.6, 1.0);
    height_ = scale_ * up + 2 * border();
  }
  double x(const LensPoint& place) const { return left_ + scale_ * (place[0] - low_[0]); }
  double y(const LensPoint& place) const { return border() + scale_ * (high_[1] - place[1]); }
  double height() const { return height_; }
  // The largest cluster's radius lies within it.
  double border() const { return 0.05 * width_; }
  // Published figures are 864 points wide: areas are 90 sqrt(nodes), lines 20 weights.
  double radius(std::size_t nodes) const {
    const double area = 90 * std::sqrt(static_cast<double>(nodes));
    return std::min(0.045 * width_, shrink_ * std::sqrt(area / std::numbers::pi) * unit());
  }
  double line_width(double weight) const { return std::max(0.5, 20 * weight * unit()); }

 private:
  double unit() const { return width_ / 864; }
  double width_, scale_ = 0, left_ = 0, height_ = 0, shrink_ = 1;
  LensPoint low_{}, high_{};
};

class PanelDrawing {
 public:
  PanelDrawing(const Picture& picture, const Panel& panel, const Frame& frame)
      : picture_(picture), panel_(panel), frame_(frame) {}

  std::string edges() const {
    std::string out;
    for (const ClusterEdge& edge : picture_.mapper.edges) {
      if (!cluster(edge.source).drawn) continue;
      const LensPoint &from = place(edge.source), &to = place(edge.target);
      out += fmt::format(
          "<line class=\"cm-edge\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke-width=\"{}\"/>\n",
          px(frame_.x(from)), px(frame_.y(from)), px(frame_.x(to)), px(frame_.y(to)),
          px(frame_.line_width(edge.weight)));
    }
    return out;
  }

  // Large ones first, so that small ones are seen.
  std::string nodes() const {
    std::vector<Index> order(picture_.mapper.clusters.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(
        order, [&](Index a, Index b) { return cluster(a).nodes.size() > cluster(b).nodes.size(); });
    std::string out;
    for (const Index c : order)
      if (cluster(c).drawn) out += node(c);
    return out;
  }

 private:
  const Cluster& cluster(Index c) const {
    return picture_.mapper.clusters[static_cast<std::size_t>(c)];
  }
  const LensPoint& place(Index c) const {
    return picture_.layout.places[static_cast<std::size_t>(c)];
  }

  std::string node(Index c) const {
    const Index one = panel_.of_cluster[static_cast<std::size_t>(c)];
    const Index truth = picture_.true_classes[static_cast<std::size_t>(c)];
    const double radius = frame_.radius(cluster(c).nodes.size());
    const std::string at =
        fmt::format("cx=\"{}\" cy=\"{}\"", px(frame_.x(place(c))), px(frame_.y(place(c))));
    std::string out = fmt::format("<circle class=\"cm-node{}\" {} r=\"{}\"",
                                  one < 0 ? " cm-none" : "", at, px(radius));
    if (one >= 0) out += fmt::format(" fill=\"{}\"", colour_of(one, picture_.classes.size()));
    out += fmt::format("><title>{}</title></circle>", xml_escaped(said(c)));
    if (is_other(one, truth))
      out += fmt::format(
          "<circle class=\"cm-ring\" {} r=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"/>",
          at, px(radius + 0.25 * radius), colour_of(truth, picture_.classes.size()),
          px(0.4 * radius));
    return out + "\n";
  }

  bool is_other(Index one, Index truth) const {
    return panel_.colouring.foretold && one >= 0 && truth >= 0 && one != truth;
  }

  // What a pointer on the cluster is told.
  std::string said(Index c) const {
    const Index one = panel_.of_cluster[static_cast<std::size_t>(c)];
    const Index truth = picture_.true_classes[static_cast<std::size_t>(c)];
    std::string out =
        fmt::format("cluster {}: {}", c, counted(std::ssize(cluster(c).nodes), "node"));
    if (one < 0) return out;
    out += fmt::format(", {} of {}", grouped(panel_.nodes_of_it[static_cast<std::size_t>(c)]),
                       shortened(name(one)));
    if (is_other(one, truth)) out += fmt::format("; most are {}", shortened(name(truth)));
    return out;
  }
  const std::string& name(Index one) const {
    return picture_.classes[static_cast<std::size_t>(one)];
  }

  const Picture& picture_;
  const Panel& panel_;
  const Frame& frame_;
};

// Names of the colours that are there, in lines of the page's width.
std::string class_legend(const Picture& picture, double width, double& y) {
  std::vector<bool> shown(picture.classes.size(), false);
  bool none = false;
  for (const Panel& panel : picture.panels) {
    for (std::size_t c = 0; c < panel.of_cluster.size(); ++c) {
      if (!picture.mapper.clusters[c].drawn) continue;
      if (panel.of_cluster[c] < 0) none = true;
      if (panel.of_cluster[c] >= 0) shown[static_cast<std::size_t>(panel.of_cluster[c])] = true;
      if (panel.colouring.foretold && picture.true_classes[c] >= 0)
        shown[static_cast<std::size_t>(picture.true_classes[c])] = true;
    }
  }
  std::string out;
  double x = kMargin;
  const auto entry = [&](const std::string& swatch, const std::string& name) {
    const double room = (swatch.empty() ? 0 : 16) + width_of(name) + 14;
    if (x > kMargin && x + room > width - kMargin) {
      x = kMargin;
      y += kLine + 4;
    }
    if (!swatch.empty())
      out += fmt::format("<circle class=\"cm-node {2}\" cx=\"{0}\" cy=\"{1}\" r=\"5\"{3}/>",
                         px(x + 5), px(y - 4), swatch == "none" ? "cm-none" : "cm-key",
                         swatch == "none" ? "" : fmt::format(" fill=\"{}\"", swatch));
    out += text("cb-label", "start", x + (swatch.empty() ? 0 : 14), y, name) + "\n";
    x += room;
  };
  std::size_t named = 0;
  const auto all = static_cast<std::size_t>(std::ranges::count(shown, true));
  for (std::size_t one = 0; one < shown.size() && named < kMostNames; ++one) {
    if (!shown[one]) continue;
    entry(colour_of(static_cast<Index>(one), shown.size()), shortened(picture.classes[one]));
    ++named;
  }
  if (named < all) entry("", fmt::format("and {} more", all - named));
  if (none) entry("none", picture.classes.empty() ? "no classes are known" : "no class is known");
  return out;
}

// Words in lines of about so many pixels.
std::vector<std::string> lines_of(const std::string& said, double width) {
  std::vector<std::string> out = {""};
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t end = std::min(said.find(' ', at), said.size());
    const std::string word = said.substr(at, end - at);
    if (!out.back().empty() && width_of(out.back() + " " + word) * 0.87 > width) out.emplace_back();
    out.back() += (out.back().empty() ? "" : " ") + word;
    at = end + 1;
  }
  return out;
}

std::string panel_heading(const Picture& picture, const Panel& panel) {
  return fmt::format("{}: {}", shortened(picture.dataset), shortened(panel.colouring.title));
}

}  // namespace

std::string picture_svg(const Picture& picture) {
  const std::size_t columns = picture.panels.size() > 1 ? 2 : 1;
  const double panel = columns == 1 ? kOnePanel : kOfSeveral;
  const double width =
      2 * kMargin + static_cast<double>(columns) * panel + static_cast<double>(columns - 1) * kGap;
  const Frame frame(picture, panel);
  std::string body;
  double y = kMargin;
  for (std::size_t i = 0; i < picture.panels.size(); ++i) {
    const double left = kMargin + static_cast<double>(i % columns) * (panel + kGap);
    if (i > 0 && i % columns == 0) y += kTitleHeight + frame.height();
    const Panel& one = picture.panels[i];
    body += text("cb-title", "start", left, y + 16, panel_heading(picture, one)) + "\n";
    const PanelDrawing drawing(picture, one, frame);
    body += fmt::format("<g transform=\"translate({} {})\">\n{}{}</g>\n", px(left),
                        px(y + kTitleHeight), drawing.edges(), drawing.nodes());
  }
  y += kTitleHeight + frame.height() + kLine;
  body += class_legend(picture, width, y);
  y += kLine + 8;
  for (const std::string& sentence : picture_caption(picture)) {
    for (const std::string& line : lines_of(printable(sentence), width - 2 * kMargin)) {
      body += text("cb-small", "start", kMargin, y, line) + "\n";
      y += kLine;
    }
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"cb\" width=\"{0}\" height=\"{1}\" "
             "viewBox=\"0 0 {0} {1}\" role=\"img\">\n<title>{2}</title>\n",
             px(width), px(y), xml_escaped("Mapper graph of " + shortened(picture.dataset))) +
         kStyle + kPictureStyle + body + "</svg>\n";
}

}  // namespace cupel
