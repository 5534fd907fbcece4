#include "cupel/lab/run/program_talk.h"

#include <nlohmann/json.hpp>

#include "cupel/base/error.h"
#include "cupel/data/formats/npz.h"
#include "cupel/lab/run/executor.h"
#include "cupel/lab/run/score_file.h"

namespace cupel {
namespace {

constexpr const char* kAnswer = "answer-";
constexpr const char* kEnd = ".npy";

std::string answer_name(std::int64_t step) { return fmt::format("{}{}{}", kAnswer, step, kEnd); }

// Whether a program means this line as an answer.
bool names_an_answer(const std::string& line) {
  const std::string begin = kAnswer, end = kEnd;
  return line.size() > begin.size() + end.size() && line.starts_with(begin) &&
         line.ends_with(end) &&
         line.find_first_not_of("0123456789", begin.size()) == line.size() - end.size();
}

}  // namespace

std::string ProgramTalk::asked() const {
  return question_ ? fmt::format("step {} ({})", step_, question_->part) : "";
}

Talk::Reply ProgramTalk::ask() {
  question_ = questions_->next();
  if (!question_) return {"", true};
  ++step_;
  file_ = fmt::format("step-{}.npz", step_), answer_ = answer_name(step_);
  try {
    write_npz(folder_.path() / file_, question_->arrays, false);
  } catch (const Error& error) {
    throw NotStarted(error.what());
  }
  question_->arrays.clear();
  return pose();
}

Talk::Reply ProgramTalk::pose() {
  refuse_early();
  folder_.put(file_.c_str());
  nlohmann::json line = {{"answer", answer_},       {"columns", question_->columns},
                         {"part", question_->part}, {"questions", file_},
                         {"rows", question_->rows}, {"step", step_}};
  for (const auto& [name, value] : question_->facts)
    std::visit([&, &key = name](const auto& v) { line[key] = v; }, value);
  return {line.dump() + "\n", false};
}

void ProgramTalk::refuse_early() const {
  if (folder_.has(answer_.c_str()))
    fail("{}: is there before step {} ({}) is asked; answer what is asked", answer_, step_,
         question_->part);
}

Talk::Reply ProgramTalk::hear(const std::string& line) {
  if (!names_an_answer(line)) return {};
  if (line != answer_ || !question_)
    fail("the program answered '{}' when {}", line,
         question_ ? fmt::format("{} was asked, whose answer is '{}'", asked(), answer_)
                   : "all was answered");
  const auto scores =
      read_scores(folder_, answer_.c_str(), {question_->rows, question_->columns, Unit::kFact});
  if (!scores) fail("the program says that it wrote {}, and it is not there", answer_);
  try {
    questions_->answer({scores->data(), static_cast<Index>(question_->rows),
                        static_cast<Index>(question_->columns),
                        static_cast<Index>(question_->columns)});
  } catch (const Error& error) {
    fail("{}: {}", answer_, error.what());
  }
  folder_.remove(file_.c_str());
  folder_.remove(answer_.c_str());
  return ask();
}

}  // namespace cupel
