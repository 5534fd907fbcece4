#include "cupel/learn/events/re_net/re_net_pyg_program.h"

#include <string>

#include "cupel/learn/events/re_net/history_trace.h"

namespace cupel {
namespace {

using C = PairConstants;

class PairTrace : public HistoryTrace {
 public:
  explicit PairTrace(const ReNetShape& shape) : HistoryTrace(shape) {
    sparse("entities", b_.space("entity"), shape.entities);
    const SpaceId query = b_.space("query");
    for (const std::string end : {"source", "target"}) {
      const SpaceId given = b_.space("given " + end), content = b_.space("content of " + end),
                    history = b_.space("history of " + end);
      sparse("entities of given " + end, given);
      sparse("entities of contents of " + end, content);
      sparse("contents of histories of " + end, history);
      sparse("given " + end + " of histories", history);
      sparse("relations of histories of " + end, history, shape.relations);
      sparse("histories of queries of " + end, query);
    }
  }

  Program trace(std::vector<ReNetAnswers>& answers) {
    const Value table = xavier("entities", shape_.entities, d_),
                relations = xavier("relations", shape_.relations, d_);
    const Value e = gather_rows(own(C::kEntities), table);
    std::vector<Value> states;
    for (const int end : {0, 1}) {
      const std::string name = end == 0 ? "source." : "target.";
      states.push_back(propagate(own(C::at(end, C::kQueryHistory)),
                                 drop(state(end, name + "gru.", e, relations))));
      const auto answer = [&](const char* part, Index rows, Index cols) {
        return slot_of(uniform(name + "answer." + part, rows, cols, 3 * d_));
      };
      ReNetAnswers& of = answers.emplace_back();
      of.entities = slot_of(table), of.kinds = slot_of(relations);
      of.of_entity = answer("entity", shape_.entities, d_);
      of.of_state = answer("state", shape_.entities, d_);
      of.of_kind = answer("kind", shape_.entities, d_);
      of.bias = answer("bias", 1, shape_.entities);
    }
    return b_.finish(states[0] + states[1]);
  }

 private:
  // Of histories. What a step reads is a sum of parts, each computed once for all that share it.
  Value state(int end, const std::string& name, Value e, Value relations) {
    const auto part = [&](const char* of) { return uniform(name + of, d_, 3 * d_, d_); };
    const auto bias = [&](const char* of) { return uniform(name + of, 1, 3 * d_, d_); };
    const auto at = [&](C::OfEnd constant) { return own(C::at(end, constant)); };
    // One by one: their order tells what each starts from.
    const Value received = part("received"), of_all = bias("bias"), entity = part("entity"),
                kind = part("kind"), weights = part("state"), state_bias = bias("state_bias");
    const Value of_contents = matmul(propagate(at(C::kContentEntities), e), received);
    const Value of_given = matmul(propagate(at(C::kGivenEntity), e), entity) + of_all;
    const Value all = propagate(at(C::kHistoryGiven), of_given) +
                      gather_rows(at(C::kHistoryRelation), matmul(relations, kind));
    return gru_sequence(at(C::kHistories), of_contents, all, weights, state_bias);
  }
};

}  // namespace

Program trace_re_net_pyg(const ReNetShape& shape, std::vector<ReNetAnswers>& answers) {
  return PairTrace(shape).trace(answers);
}

}  // namespace cupel
