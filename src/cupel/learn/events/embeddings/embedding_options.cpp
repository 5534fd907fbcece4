#include "cupel/learn/events/embeddings/embedding_model.h"

namespace cupel {
namespace {

const char* const kLosses[] = {"cross-entropy", "logistic", "margin"};

}  // namespace

std::vector<OptionSpec> embedding_options(const EmbeddingSettings& defaults) {
  const auto whole = [](Offset value) { return OptionValue(std::int64_t{value}); };
  std::vector<OptionSpec> out = {
      {.name = "dimension",
       .fallback = whole(defaults.dimension),
       .doc = "Numbers of an embedding; ComplEx takes half of them as imaginary parts.",
       .min = 1,
       .max = 65536},
      {.name = "reciprocal",
       .fallback = defaults.form.reciprocal,
       .doc = "Each direction of a relation has an embedding of its own."},
      {.name = "loss",
       .fallback = std::string(kLosses[static_cast<std::size_t>(defaults.loss.loss)]),
       .doc = "What training makes small.",
       .choices = {std::begin(kLosses), std::end(kLosses)}},
      {.name = "margin",
       .fallback = defaults.loss.margin,
       .doc = "Of the losses logistic and margin.",
       .min = -1e6,
       .max = 1e6},
      {.name = "negatives",
       .fallback = whole(defaults.negatives),
       .doc = "Entities drawn for each batch as wrong answers; 0: all.",
       .min = 0,
       .max = 1e9},
      {.name = "penalty",
       .fallback = defaults.penalty.weight,
       .doc = "Weight of the regulariser, which counts the embeddings of each fact.",
       .min = 0,
       .max = 1e9},
      {.name = "power",
       .fallback = whole(defaults.penalty.power),
       .doc = "Of the regulariser: 3 is N3, 2 is weight decay.",
       .min = 2,
       .max = 3},
      {.name = "epochs",
       .fallback = whole(defaults.epochs),
       .doc = "At most so many; an epoch takes each different query of training once.",
       .min = 1,
       .max = 1e9},
      {.name = "rate",
       .fallback = defaults.rate,
       .doc = "Learning rate of Adagrad.",
       .min = 1e-12,
       .max = 1e6},
      {.name = "batch",
       .fallback = whole(defaults.batch),
       .doc = "Queries of a step.",
       .min = 1,
       .max = 1 << 20},
      {.name = "check_every",
       .fallback = whole(defaults.check_every),
       .doc = "Epochs between looks at validation.",
       .min = 1,
       .max = 1e9},
      {.name = "patience",
       .fallback = whole(defaults.patience),
       .doc = "Looks without a better one after which training ends.",
       .min = 1,
       .max = 1e9},
      {.name = "valid_questions",
       .fallback = whole(defaults.valid_questions),
       .doc = "Questions of validation, drawn, that a look asks; 0: none, and training ends with "
              "the last epoch.",
       .min = 0,
       .max = 1e9}};
  if (defaults.form.scoring.score == FactScore::kTransE)
    out.push_back({.name = "norm",
                   .fallback = whole(defaults.form.scoring.norm == kernels::Norm::kL1 ? 1 : 2),
                   .doc = "Of distances: 1 is L1, 2 is L2.",
                   .min = 1,
                   .max = 2});
  return out;
}

EmbeddingSettings read_embedding_settings(const EmbeddingSettings& defaults,
                                          const Options& options) {
  EmbeddingSettings out = defaults;
  const auto whole = [&](const char* name) { return static_cast<Index>(options.integer(name)); };
  out.dimension = whole("dimension");
  out.form.reciprocal = options.flag("reciprocal");
  for (std::size_t i = 0; i < std::size(kLosses); ++i)
    if (options.text("loss") == kLosses[i]) out.loss.loss = static_cast<FactLoss>(i);
  out.loss.margin = options.real("margin");
  out.negatives = whole("negatives");
  out.penalty = {options.real("penalty"), static_cast<int>(whole("power"))};
  out.epochs = whole("epochs");
  out.rate = options.real("rate");
  out.batch = whole("batch");
  out.check_every = whole("check_every");
  out.patience = whole("patience");
  out.valid_questions = options.integer("valid_questions");
  if (out.form.scoring.score == FactScore::kTransE)
    out.form.scoring.norm = whole("norm") == 1 ? kernels::Norm::kL1 : kernels::Norm::kL2;
  return out;
}

}  // namespace cupel
