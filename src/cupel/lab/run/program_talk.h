// Asking a program while it runs: a file of questions, a file of answers, and then the next.
//
// For each question a file step-N.npz is put into the folder, and then a line of JSON is written to
// the program's standard input: answer, columns, part, questions, rows, step, and what the kind of
// task says with it. The program writes the file that `answer` names, an array rows x columns, and
// then the same name as a line of its own to its standard output. Both files are removed, and the
// next question comes. When all were answered, the standard input ends, but that of a worker goes
// on (worker.h). Other lines are no answers.
#pragma once

#include <memory>
#include <string>

#include "cupel/lab/isolation/process.h"
#include "cupel/lab/isolation/task_folder.h"
#include "cupel/learn/program_task.h"

namespace cupel {

// For one run, used by one thread at a time. Nothing lies in the folder, or beside it, before it is
// asked.
class ProgramTalk final : public Talk {
 public:
  ProgramTalk(TaskFolder& folder, std::unique_ptr<ProgramQuestions> questions)
      : folder_(folder), questions_(std::move(questions)) {}

  // Throw Error for answers that are none, and NotStarted (executor.h) where a question cannot be
  // written on this machine. begin() once more asks a program anew, in a folder that was emptied,
  // that has not answered the first question.
  Reply begin() override { return question_ ? pose() : ask(); }
  Reply hear(const std::string& line) override;

  // What is asked now, "step 3 (valid)"; empty: all was answered.
  std::string asked() const;

 private:
  Reply ask();
  Reply pose();
  void refuse_early() const;

  TaskFolder& folder_;
  std::unique_ptr<ProgramQuestions> questions_;
  std::optional<ProgramQuestion> question_;
  std::int64_t step_ = 0;
  std::string file_, answer_;
};

}  // namespace cupel
