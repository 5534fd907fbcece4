#include "cupel/engine/kernels/loss.h"

#include <memory>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

void loss_case(const std::string& name, Index rows, Index classes, bool with_grad) {
  struct Data {
    Matrix logits, grad, expected;
    std::vector<Index> labels;
    kernels::LossValue value, want;
  };
  auto data = std::make_shared<Data>();
  Data* p = data.get();
  p->logits = random_matrix(rows, classes, 6);
  p->grad = p->expected = Matrix(rows, classes);
  for (Index i = 0; i < rows; ++i) p->labels.push_back(i % classes);
  const auto target = [with_grad](Matrix& m) { return with_grad ? view(m) : DenseView{}; };
  add_case({name,
            [data, p, target] {
              p->value =
                  kernels::softmax_cross_entropy(p->logits, p->labels.data(), target(p->grad));
            },
            [p, target] {
              p->want = reference::softmax_cross_entropy(p->logits, p->labels.data(),
                                                         target(p->expected));
            },
            [p] {
              return std::max(difference(p->grad, p->expected),
                              std::fabs(p->value.mean_loss - p->want.mean_loss));
            },
            1e-6, 4.0 * rows * classes * (with_grad ? 2 : 1), 0});
}

const Cases kLoss([] {
  loss_case("softmax_cross_entropy/train 140x7", 140, 7, true);
  loss_case("softmax_cross_entropy/validation 210x7", 210, 7, false);
  loss_case("softmax_cross_entropy/1340x67", 1340, 67, true);
});

}  // namespace

}  // namespace cupel::bench
