// What a program is told and asked of facts over time: the past, and then questions step by step.
//
// task.npz has
//   facts_train     source, relation, target, time of each fact, in the order of time
//   entity_types    a number for each entity
//   relation_types  of each relation those of its source and its target
//   undirected      of each relation 1 if both orders of a fact say the same
// A file of questions has
//   known    facts that have come to be known since the last file; they may be none
//   queries  given, relation, source_asked: which entity is at the other end? All of one time
//   facts    or, where that is asked, facts of which some are true
// Queries of a step come in several files where their scores would be more than kMostScores.
#pragma once

#include <memory>

#include "cupel/learn/events/event_view.h"
#include "cupel/learn/program_task.h"

namespace cupel {

inline constexpr std::int64_t kMostScores = 1 << 22;  // of one file, if it has more than one query

[[nodiscard]] ProgramTask event_program(const EventView& view);

// Validation is asked first; what happened in it is known when test is asked about. Answers to
// queries have a score for each entity, where minus infinity says that nothing is known of it;
// those to facts have one column of finite scores.
[[nodiscard]] std::unique_ptr<ProgramQuestions> event_questions(const EventView& view,
                                                                EventExam& valid, EventExam* test);

}  // namespace cupel
