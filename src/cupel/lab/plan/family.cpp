#include "cupel/lab/plan/family.h"

#include <fmt/format.h>

#include "cupel/engine/kernels/fused.h"
#include "cupel/lab/plan/program.h"
#include "cupel/lab/record/identity.h"
#include "cupel/learn/model.h"
#include "cupel/learn/task_kind.h"

namespace cupel {

void seal(Family& family) {
  FamilyFields fields;
  fields.dataset = family.dataset->content;
  fields.preparation = family.dataset->steps;
  std::string names;
  if (family.task != nullptr && family.task->in_identity) {
    fields.task = family.task->name;
    fields.task_settings =
        family.task->identity(family.dataset->data->data(), family.task_settings);
    names = family.task->names(family.dataset->data->data());
  }
  fields.split = family.split;
  fields.model = family.model.name;
  fields.settings = family.model.settings.identity();
  if (family.model.entry != nullptr) fields.revision = family.model.entry->revision;
  if (family.function != nullptr) {
    fields.program = function_identity(*family.external, *family.function);
  } else if (family.external) {
    family.files = program_files(*family.external);
    fields.program = program_identity(*family.external, family.files, family.packages);
  }
  fields.rule = family.rule;
  fields.metric = family.metric;
  fields.scores_test = family.scores_test;
  // What a program does is its own.
  if (!family.external) fields.rounding = kernels::rounding();
  family.drawn_by = family.identity = family_identity(fields);
  if (!names.empty()) {
    fields.names = std::move(names);
    family.identity = family_identity(fields);
  }
  family.id = identity_hash(family.identity);
}

StreamKey task_key(const PlannedDataset& dataset, const SplitScheme& split, int number) {
  SplitScheme scheme = split;
  scheme.first = 0;
  return stream_key(fmt::format("task/{}/{}/{}", dataset.content, scheme.identity(), number));
}

StreamKey run_key(const Family& family, int split, int init) {
  return stream_key(run_identity(family.drawn_by, split, init));
}

}  // namespace cupel
