// What RE-Net's forms share: their sizes, what answers, and what is asked. re_net_program.h and
// re_net_pyg_program.h have the equations of `re-net` and of `re-net-pyg`.
#pragma once

#include <vector>

#include "cupel/base/matrix.h"

namespace cupel {

struct ReNetShape {
  Index entities = 0, relations = 1;
  Index width = 200;  // even in `re-net`, whose relations are blocks of two
  // Of what answers read: e, w, and the state of a history. In `re-net` also of the layers' own
  // part and of the inputs of recurrences.
  double dropout = 0.5;
  // Whether what is dropped is dropped once for all that share it: of e, queries of an entity that
  // one head answers; of w, those of a relation; of H (`re-net`), all. Else e and w are dropped for
  // each query, and H for each receiver. Where recurrences drop e and w (`re-net`), all steps of a
  // history share them in either case.
  bool shared_masks = true;
  double l2 = 1e-5;
};

// Places among the parameters of those by which one head answers. Of a logit's weights each part is
// a matrix with a row for each answer.
struct ReNetAnswers {
  // Tables of e and w. That of w has a row for each of the 2 relations kinds (`re-net`), or one for
  // each relation, which both directions share (`re-net-pyg`).
  int entities = -1, kinds = -1;
  int of_entity = -1, of_state = -1, of_kind = -1, bias = -1;  // W_o, b
  // W_r, b'; -1 where relations are not predicted (`re-net-pyg`).
  int relation_of_entity = -1, relation_of_state = -1, relation_bias = -1;
};

// A query with its answers, each once, as often as `counts` says.
struct HistoryQuery {
  Index given = 0, kind = 0;  // kind: r where the target is asked, relations + r for the source
  std::vector<Index> answers = {};
  std::vector<float> counts = {};
  std::vector<Index> other_answers = {};  // true, but not asked about here; ascending
  float total = 0;                        // of the counts
};

// Where the given entity of such a query stands: 0 as the source, 1 as the target. Parameters and
// constants of either end are in this order.
inline int end_of(Index kind, Index relations) { return kind >= relations ? 1 : 0; }

}  // namespace cupel
