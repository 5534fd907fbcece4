// Tasks about the links of a graph.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cupel/data/split/link_split.h"
#include "cupel/learn/links/link_view.h"

namespace cupel {

struct LinkAsk {
  bool directed = false;
  std::string message = "train";
  std::string negatives = "uniform", valid_negatives = {};
  std::vector<std::string> metrics = {};
  bool scored = true, asked = true;
  int member = 0;  // of the splits
  int threads = 1;
  int valid = 10, test = 20;  // percent of the links
};

inline SplitScheme link_scheme(const LinkAsk& ask) {
  return {"links",
          {{"train", std::int64_t{100 - ask.valid - ask.test}},
           {"valid", std::int64_t{ask.valid}},
           {"test", std::int64_t{ask.test}},
           {"directed", ask.directed},
           {"message", ask.message}}};
}

inline Task link_task(const std::shared_ptr<const TaskData>& data, const LinkAsk& ask = {}) {
  const TaskKind& kind = *find_task_kind("links");
  const SplitScheme scheme = link_scheme(ask);
  return make_link_task({.data = data,
                         .scheme = scheme,
                         .split = make_split(data->data(), scheme, ask.member),
                         .settings = Options("links", kind.settings,
                                             {{"negatives", ask.negatives},
                                              {"valid_negatives", ask.valid_negatives}}),
                         .key = stream_key("link task"),
                         .metrics = ask.metrics,
                         .scored = ask.scored,
                         .asked = ask.asked,
                         .threads = {ask.threads}});
}

inline Task link_task(Dataset data, const LinkAsk& ask = {}) {
  return link_task(
      std::make_shared<const TaskData>(std::make_shared<const Dataset>(std::move(data))), ask);
}

}  // namespace cupel
