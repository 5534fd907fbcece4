#include "cupel/learn/events/re_net/re_net_program.h"

#include <string>
#include <vector>

#include "cupel/learn/events/re_net/history_trace.h"

namespace cupel {
namespace {

// What both programs have: entities, and two layers over snapshots.
class GraphTrace : public HistoryTrace {
 public:
  explicit GraphTrace(const ReNetShape& shape) : HistoryTrace(shape) {
    entity_ = b_.space("entity"), message_ = b_.space("message"), node_ = b_.space("node");
    node_message_ = b_.space("node message"), receiver_ = b_.space("receiver");
    sparse("entities", entity_, shape.entities);
    sparse("entities of messages", message_);
    sparse("kinds of messages", message_, 2 * shape.relations);
    sparse("messages of nodes", node_);
    sparse("entities of nodes", node_);
    sparse("nodes of messages", node_message_);
    sparse("kinds of nodes' messages", node_message_, 2 * shape.relations);
    sparse("messages of receivers", receiver_);
    sparse("nodes of receivers", receiver_);
    table_ = xavier("entities", shape.entities, d_);
    for (const char* layer : {"1", "2"}) {
      blocks_.push_back(xavier(std::string("blocks.") + layer, 2 * shape.relations, 2 * d_));
      own_.push_back(xavier(std::string("own.") + layer, d_, d_));
    }
  }

 protected:
  Value embedded() { return gather_rows(own(GraphConstants::kEntities), table_); }
  Value received(Value e) {
    using C = GraphConstants;
    const auto sent = [&](int kinds, int from, Value x, std::size_t layer) {
      return block_product(own(kinds), propagate(own(from), x), blocks_[layer]);
    };
    Value nodes = propagate(own(C::kNodeMessages), sent(C::kMessageKind, C::kMessageEntity, e, 0));
    nodes = relu(nodes + propagate(own(C::kNodeEntity), drop(matmul(e, own_[0]))));
    const Value out = propagate(own(C::kReceiverMessages),
                                sent(C::kNodeMessageKind, C::kNodeMessageNode, nodes, 1));
    return out + drop(matmul(propagate(own(C::kReceiverNode), nodes), own_[1]));
  }

  SpaceId entity_, message_, node_, node_message_, receiver_;
  std::vector<Value> blocks_, own_;
  Value table_;
};

class LocalTrace : public GraphTrace {
 public:
  explicit LocalTrace(const ReNetShape& shape) : GraphTrace(shape) {
    const SpaceId step = b_.space("step"), subject = b_.space("subject"), query = b_.space("query");
    dense("states of steps", step, d_);
    sparse("steps of receivers", receiver_);
    sparse("entities of subjects", subject);
    sparse("histories of subjects", subject);
    sparse("histories of queries", query);
    sparse("kinds of queries", query, 2 * shape.relations);
    sparse("subjects of queries", query);
  }

  Program trace(ReNetAnswers& answers) {
    using C = ReNetConstants;
    const Value kinds = xavier("kinds", 2 * shape_.relations, d_);
    const auto part = [&](const char* name) { return uniform(name, d_, 3 * d_, d_); };
    Weights of_g, of_q;
    of_g.received = part("gru.received"), of_g.entity = part("gru.entity");
    const Value of_kind = part("gru.kind");
    of_g.global = part("gru.global"), of_g.bias = uniform("gru.bias", 1, 3 * d_, d_);
    const Value state = part("gru.state"), state_bias = uniform("gru.state_bias", 1, 3 * d_, d_);
    of_q.received = part("relation_gru.received"), of_q.entity = part("relation_gru.entity");
    of_q.global = part("relation_gru.global");
    of_q.bias = uniform("relation_gru.bias", 1, 3 * d_, d_);
    const Value r_state = part("relation_gru.state"),
                r_state_bias = uniform("relation_gru.state_bias", 1, 3 * d_, d_);
    const auto answer = [&](const char* name, Index rows, Index cols, Index parts) {
      return slot_of(uniform(name, rows, cols, parts * d_));
    };
    answers.entities = slot_of(table_), answers.kinds = slot_of(kinds);
    answers.of_entity = answer("answer.entity", shape_.entities, d_, 3);
    answers.of_state = answer("answer.state", shape_.entities, d_, 3);
    answers.of_kind = answer("answer.kind", shape_.entities, d_, 3);
    answers.bias = answer("answer.bias", 1, shape_.entities, 3);
    answers.relation_of_entity = answer("relation.entity", shape_.relations, d_, 2);
    answers.relation_of_state = answer("relation.state", shape_.relations, d_, 2);
    answers.relation_bias = answer("relation.bias", 1, shape_.relations, 2);

    const Value e = embedded();
    const Inputs in = shape_.shared_masks ? inputs_by_shared_masks(e, kinds, of_g, of_q, of_kind)
                                          : inputs_by_own_masks(e, kinds, of_g, of_q, of_kind);
    const Value g = gru_sequence(own(C::kQueryReceivers), in.g_steps, in.g_all, state, state_bias);
    const Value q =
        gru_sequence(own(C::kSubjectReceivers), in.q_steps, in.q_all, r_state, r_state_bias);
    return b_.finish(concat_columns({drop(g), propagate(own(C::kQuerySubject), drop(q))}));
  }

 private:
  struct Weights {
    Value received, entity, global, bias;  // of width x 3 width, and of 1 x 3 width
  };
  // Of the recurrences of queries and of subjects: what they read at a receiver, and at all steps
  // alike. Sums of parts, each computed once for all that share it: of a receiver, a step, a
  // subject, a kind.
  struct Inputs {
    Value g_steps, g_all, q_steps, q_all;
  };

  Inputs inputs_by_shared_masks(Value e, Value kinds, const Weights& of_g, const Weights& of_q,
                                Value of_kind) {
    using C = ReNetConstants;
    const Value x = drop(received(e));
    const Value of_steps =
        matmul(drop(own(C::kStates)), concat_columns({of_g.global, of_q.global}));
    const Value of_subjects = matmul(propagate(own(C::kSubjectEntity), drop(e)),
                                     concat_columns({of_g.entity, of_q.entity})) +
                              concat_columns({of_g.bias, of_q.bias});
    const auto columns_of = [&](Value all, Index which) {
      return columns(all, which * 3 * d_, 3 * d_);
    };
    const auto steps = [&](Value weights, Index which) {
      return matmul(x, weights) + propagate(own(C::kReceiverStep), columns_of(of_steps, which));
    };
    return {steps(of_g.received, 0),
            propagate(own(C::kQuerySubject), columns_of(of_subjects, 0)) +
                gather_rows(own(C::kQueryKind), matmul(drop(kinds), of_kind)),
            steps(of_q.received, 1), columns_of(of_subjects, 1)};
  }

  // The same with masks of their own: parts are dropped, and so computed, for each that reads them.
  // What is dropped stands in statements of its own: their order tells the masks.
  Inputs inputs_by_own_masks(Value e, Value kinds, const Weights& of_g, const Weights& of_q,
                             Value of_kind) {
    using C = ReNetConstants;
    const Value x = received(e), states = propagate(own(C::kReceiverStep), own(C::kStates)),
                subjects = propagate(own(C::kSubjectEntity), e);
    const auto steps = [&](const Weights& w) {
      const Value of_states = matmul(drop(states), w.global);
      return matmul(drop(x), w.received) + of_states;
    };
    const auto all = [&](Value of, const Weights& w) {
      return matmul(drop(of), w.entity) + w.bias;
    };
    const Value g_steps = steps(of_g);
    const Value of_kinds = matmul(drop(gather_rows(own(C::kQueryKind), kinds)), of_kind);
    const Value g_all = all(propagate(own(C::kQuerySubject), subjects), of_g) + of_kinds;
    const Value q_steps = steps(of_q);
    return {g_steps, g_all, q_steps, all(subjects, of_q)};
  }
};

class GlobalTrace : public GraphTrace {
 public:
  explicit GlobalTrace(const ReNetShape& shape) : GraphTrace(shape) {
    const SpaceId step = b_.space("step"), window = b_.space("window");
    sparse("receivers of steps", step);
    sparse("steps of windows", window);
    dense("ones", window, 1);
  }

  Program trace(GlobalAnswers& answers) {
    using C = GlobalConstants;
    const Value pooled_weights = uniform("gru.pooled", d_, 3 * d_, d_),
                bias = uniform("gru.bias", 1, 3 * d_, d_),
                state = uniform("gru.state", d_, 3 * d_, d_),
                state_bias = uniform("gru.state_bias", 1, 3 * d_, d_);
    const auto answer = [&](const char* name, Index rows, Index cols) {
      return slot_of(uniform(name, rows, cols, d_));
    };
    answers.of_source = answer("source", shape_.entities, d_);
    answers.source_bias = answer("source.bias", 1, shape_.entities);
    answers.of_target = answer("target", shape_.entities, d_);
    answers.target_bias = answer("target.bias", 1, shape_.entities);
    const Value pooled = neighbour_max(own(C::kStepReceivers), received(embedded()), -1);
    const Value h = gru_sequence(own(C::kWindowSteps), matmul(drop(pooled), pooled_weights),
                                 matmul(own(C::kOnes), bias), state, state_bias);
    return b_.finish(h);
  }
};

}  // namespace

Program trace_re_net(const ReNetShape& shape, ReNetAnswers& answers) {
  return LocalTrace(shape).trace(answers);
}

Program trace_global(const ReNetShape& shape, GlobalAnswers& answers) {
  return GlobalTrace(shape).trace(answers);
}

}  // namespace cupel
