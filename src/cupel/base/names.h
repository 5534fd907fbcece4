// Names that users type: which are the same, and what a message says of an unknown one.
#pragma once

#include <string>
#include <vector>

namespace cupel {

// Whether two names of a data set, a row or a model are the same. Case does not matter, and '_' is
// '-'. Between letters, and between a letter and a digit, both may be left out: "AmazonPhoto" is
// "amazon-photo". Between digits they stay ("mlp-1-16" is not "mlp-11-6"), and so they do in what
// is no plain name but a path or a generator with settings (it has '/', '.', ':' or '=').
[[nodiscard]] bool same_name(const std::string& a, const std::string& b);

// Whether one of `list` is the same name.
[[nodiscard]] bool has_name(const std::vector<std::string>& list, const std::string& name);

// The end of a message about an unknown name: "; did you mean 'x'?" where a known name is near,
// else "; " and `otherwise`, else nothing. To names of one or two letters none is near.
[[nodiscard]] std::string near_text(const std::string& wrong, const std::vector<std::string>& known,
                                    const std::string& otherwise = "");

// The same, with "there are: " and all known names where none is near.
[[nodiscard]] std::string near_or_all(const std::string& wrong,
                                      const std::vector<std::string>& known);

}  // namespace cupel
