#include "cupel/lab/protocol/configurations.h"

#include <algorithm>
#include <charconv>

#include "cupel/lab/protocol/parse.h"
#include "cupel/lab/protocol/rule_choices.h"

namespace cupel {
namespace {

constexpr std::size_t kMostConfigurations = 10'000;

bool speaks_of(const ChoiceDimension& dimension, const std::string& setting) {
  return std::count(dimension.settings.begin(), dimension.settings.end(), setting) > 0;
}

void end_choice(RowOnDataset& on, const std::string& setting) {
  std::erase_if(on.choices, [&](const ChoiceDimension& d) { return speaks_of(d, setting); });
}

void override_with(RowOnDataset& on, const RowCase& special) {
  on.where = special.where;
  special.train.apply(on.rule, on.timeout_seconds);
  for (const auto& [field, value] : special.train.fields)
    if (rule_choice(field->name) != nullptr) end_choice(on, field->name);
  for (const auto& [name, value] : special.settings) {
    end_choice(on, name);
    on.settings[name] = value;
  }
  for (const ChoiceDimension& dimension : special.choices) {
    for (const std::string& name : dimension.settings) on.settings.erase(name);
    // One that replaces another keeps its place in the grid.
    const auto same = std::find_if(on.choices.begin(), on.choices.end(),
                                   [&](const auto& d) { return d.settings == dimension.settings; });
    if (same != on.choices.end()) {
      *same = dimension;
      continue;
    }
    for (const std::string& name : dimension.settings) end_choice(on, name);
    on.choices.push_back(dimension);
  }
}

std::optional<double> number_of(const OptionValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return {};
}

// 1 and 1.0 are the same to a user.
bool same_value(const OptionValue& a, const OptionValue& b) {
  const auto x = number_of(a), y = number_of(b);
  return x && y ? *x == *y : a == b;
}

OptionValue value_of(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return text;
}

bool applies(const ChoiceFilter& filter, const ModelRow& row) {
  return filter.row.empty() || same_name(filter.row, row.name);
}

// The place of the filter's setting in a dimension.
std::size_t place_in(const ChoiceDimension& dimension, const ChoiceFilter& filter) {
  const auto& names = dimension.settings;
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), filter.setting) -
                                  names.begin());
}

bool keeps(const ChoiceFilter& filter, const OptionValue& value) {
  return std::any_of(filter.values.begin(), filter.values.end(),
                     [&](const OptionValue& v) { return same_value(v, value); });
}

std::string values_text(const ChoiceDimension& dimension, const std::string& setting) {
  const auto at = place_in(dimension, {"", setting, {}});
  std::vector<std::string> out;
  for (const auto& point : dimension.values) {
    const std::string text = cupel::to_text(point[at]);
    if (!std::count(out.begin(), out.end(), text)) out.push_back(text);
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

// All choices of a row, on whatever data set.
std::vector<const ChoiceDimension*> all_choices(const ModelRow& row) {
  std::vector<const ChoiceDimension*> out;
  for (const ChoiceDimension& dimension : row.choices) out.push_back(&dimension);
  for (const RowCase& special : row.cases) {
    for (const ChoiceDimension& dimension : special.choices) out.push_back(&dimension);
  }
  return out;
}

}  // namespace

RowOnDataset row_on(const Protocol& protocol, const ModelRow& row, const std::string& dataset) {
  RowOnDataset out;
  out.rule = protocol.rule;
  out.timeout_seconds = protocol.timeout_seconds;
  out.settings = row.settings;
  out.choices = row.choices;
  out.where = row.where;
  row.train.apply(out.rule, out.timeout_seconds);
  for (const RowCase& special : row.cases) {
    if (has_name(special.datasets, dataset)) override_with(out, special);
  }
  return out;
}

std::vector<Configuration> grid_of(const RowOnDataset& row) {
  std::vector<Configuration> grid(1);
  for (const ChoiceDimension& dimension : row.choices) {
    if (grid.size() * dimension.values.size() > kMostConfigurations)
      fail("{}: the choices make more than {} configurations", dimension.where,
           kMostConfigurations);
    std::vector<Configuration> next;
    for (const Configuration& begun : grid) {
      for (const auto& point : dimension.values) {
        Configuration longer = begun;
        for (std::size_t i = 0; i < point.size(); ++i)
          longer.emplace_back(dimension.settings[i], point[i]);
        next.push_back(std::move(longer));
      }
    }
    grid = std::move(next);
  }
  return grid;
}

std::string to_text(const Configuration& configuration) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : configuration)
    parts.push_back(fmt::format("{}={}", name, cupel::to_text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<ChoiceFilter> parse_choice_filters(const std::vector<std::string>& given) {
  std::vector<ChoiceFilter> out;
  for (const std::string& text : given) {
    bool open = false;  // a value may follow
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      std::string piece = text.substr(begin, end - begin);
      begin = end + 1;
      if (const std::size_t equals = piece.find('='); equals != std::string::npos) {
        ChoiceFilter filter;
        filter.setting = piece.substr(0, equals);
        if (const std::size_t dot = filter.setting.find('.'); dot != std::string::npos) {
          filter.row = filter.setting.substr(0, dot);
          filter.setting.erase(0, dot + 1);
        }
        open = !filter.setting.empty();
        if (open) out.push_back(std::move(filter));
        piece.erase(0, equals + 1);
      }
      if (!open || piece.empty())
        fail("--choices: '{}' is not of the form SETTING=VALUE,... or ROW.SETTING=VALUE,...", text);
      out.back().values.push_back(value_of(piece));
    }
  }
  return out;
}

void narrow(RowOnDataset& on, const ModelRow& row, const std::vector<ChoiceFilter>& filters) {
  for (const ChoiceFilter& filter : filters) {
    if (!applies(filter, row)) continue;
    for (ChoiceDimension& dimension : on.choices) {
      if (!speaks_of(dimension, filter.setting)) continue;
      const std::string all = values_text(dimension, filter.setting);
      const std::size_t at = place_in(dimension, filter);
      std::erase_if(dimension.values, [&](const auto& point) { return !keeps(filter, point[at]); });
      if (dimension.values.empty())
        fail(
            "--choices: row '{}' has {}={}, and nothing of it is left; write {}.{}=... to narrow "
            "one row, or leave rows out with --models",
            row.name, filter.setting, all, row.name, filter.setting);
    }
  }
}

void check_filters(const Protocol& protocol, const std::vector<const ModelRow*>& rows,
                   const std::vector<ChoiceFilter>& filters) {
  for (const ChoiceFilter& filter : filters) {
    if (!filter.row.empty() && protocol.find_model(filter.row) == nullptr) {
      std::vector<std::string> known;
      for (const ModelRow& row : protocol.models) known.push_back(row.name);
      fail("--choices: protocol '{}' has no model '{}'{}", protocol.name, filter.row,
           near_text(filter.row, known));
    }
    std::vector<const ChoiceDimension*> choices;
    std::vector<std::string> settings;
    for (const ModelRow* row : rows) {
      if (!applies(filter, *row)) continue;
      for (const ChoiceDimension* dimension : all_choices(*row)) {
        if (speaks_of(*dimension, filter.setting)) choices.push_back(dimension);
        for (const std::string& name : dimension->settings) {
          if (!std::count(settings.begin(), settings.end(), name)) settings.push_back(name);
        }
      }
    }
    if (choices.empty())
      fail("--choices: no row chooses '{}'{}", filter.setting,
           settings.empty() ? "; there are no choices here"
                            : fmt::format("; chosen are: {}", fmt::join(settings, ", ")));
    for (const OptionValue& value : filter.values) {
      const auto has = [&](const ChoiceDimension* dimension) {
        const std::size_t at = place_in(*dimension, filter);
        return std::any_of(dimension->values.begin(), dimension->values.end(),
                           [&](const auto& point) { return same_value(point[at], value); });
      };
      if (std::none_of(choices.begin(), choices.end(), has))
        fail("--choices: {}={} is no choice of the protocol; {} is one of {}", filter.setting,
             cupel::to_text(value), filter.setting, values_text(*choices[0], filter.setting));
    }
  }
}

}  // namespace cupel
