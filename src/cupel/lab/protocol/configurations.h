// What a row of a protocol is on one data set: its rule, its settings, and the configurations that
// its cell chooses from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cupel/lab/protocol/protocol.h"

namespace cupel {

// The settings of one point of a grid, in the order of the file. Empty: nothing is chosen.
using Configuration = std::vector<std::pair<std::string, OptionValue>>;

struct RowOnDataset {
  TrainRule rule;
  double timeout_seconds = 0;
  Settings settings;
  std::vector<ChoiceDimension> choices;
  std::string where;  // for messages about settings
};

// [models.ROW] with what [[models.ROW.on]] says of `dataset`: a value there replaces the row's
// value or ends its choice; a choice replaces every choice, and the value, of its settings.
[[nodiscard]] RowOnDataset row_on(const Protocol& protocol, const ModelRow& row,
                                  const std::string& dataset);

// Every configuration, the last choice changing fastest; one empty one if there is no choice.
// Throws Error if there are more than 10 000.
[[nodiscard]] std::vector<Configuration> grid_of(const RowOnDataset& row);

// "layers=3", "lr=0.01, l2=0"; "" for the empty one.
[[nodiscard]] std::string to_text(const Configuration& configuration);

// Some values of choices: what `--choices` keeps.
struct ChoiceFilter {
  std::string row;  // empty: of every row that chooses this setting
  std::string setting;
  std::vector<OptionValue> values;
};

// "layers=1,2", "sage.layers=1", "lr=0.01,0.1,l2=0". Throws Error for what is not of this form.
[[nodiscard]] std::vector<ChoiceFilter> parse_choice_filters(const std::vector<std::string>& given);

// Narrows the choices of `row` on one data set. Throws Error if nothing is left of a choice.
void narrow(RowOnDataset& on, const ModelRow& row, const std::vector<ChoiceFilter>& filters);

// Throws Error for a filter that speaks of no choice, or of a value that no choice has, in any of
// `rows` on any data set.
void check_filters(const Protocol& protocol, const std::vector<const ModelRow*>& rows,
                   const std::vector<ChoiceFilter>& filters);

}  // namespace cupel
