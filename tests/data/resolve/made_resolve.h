// Small folders of facts, and files about them, for tests of entity resolution.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "cupel/base/error.h"
#include "cupel/data/facts/academic.h"
#include "temp_folder.h"

namespace cupel::made {

// Papers of a year with names of authors; no keywords.
struct MadePaper {
  std::string id;
  int year;
  std::vector<std::string> names;
  std::string affiliation = "";
};

inline AcademicGraph academic(const std::vector<MadePaper>& papers,
                              PairRule pairs = PairRule::kYear) {
  AcademicSettings settings;
  settings.pairs = pairs;
  AcademicBuilder builder(settings);
  for (const MadePaper& paper : papers) {
    Publication one;
    one.id = paper.id;
    one.year = paper.year;
    for (const std::string& name : paper.names) {
      one.authors.push_back({name, "", {}});
      if (!paper.affiliation.empty()) one.authors.back().affiliations = {paper.affiliation};
    }
    builder.add(one);
  }
  return std::move(builder).finish();
}

inline std::filesystem::path written(const TempFolder& folder, const std::string& name,
                                     const std::string& text) {
  std::ofstream(folder / name, std::ios::binary) << text;
  return folder / name;
}

// What the call refuses; "" if it does not.
template <class Body>
std::string refusal(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace cupel::made
