#include "cupel/judge/prediction/regressors.h"

#include <libsvm/svm.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <memory>
#include <stdexcept>

#include "cupel/judge/prediction/random_forest.h"
#include "cupel/learn/graph_kernels/svm.h"

namespace cupel {
namespace {

Eigen::MatrixXd matrix_of(std::span<const RegressionRow> rows) {
  Eigen::MatrixXd out(static_cast<Eigen::Index>(rows.size()),
                      static_cast<Eigen::Index>(rows[0].size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.row(static_cast<Eigen::Index>(i)) = Eigen::Map<const Eigen::RowVectorXd>(
        rows[i].data(), static_cast<Eigen::Index>(rows[i].size()));
  return out;
}

// Centred, so that the intercept is the mean of y and is not shrunk.
std::vector<double> ridge(std::span<const RegressionRow> x, std::span<const double> y,
                          std::span<const RegressionRow> test) {
  constexpr double kAlpha = 1;
  const Eigen::Map<const Eigen::VectorXd> targets(y.data(), static_cast<Eigen::Index>(y.size()));
  Eigen::MatrixXd centred = matrix_of(x);
  const Eigen::RowVectorXd means = centred.colwise().mean();
  const double level = targets.mean();
  centred.rowwise() -= means;
  Eigen::MatrixXd normal = centred.transpose() * centred;
  normal.diagonal().array() += kAlpha;
  const Eigen::VectorXd moments = centred.transpose() * (targets.array() - level).matrix();
  const Eigen::VectorXd weights = normal.llt().solve(moments);
  std::vector<double> out;
  for (const RegressionRow& row : test) {
    const Eigen::Map<const Eigen::RowVectorXd> at(row.data(),
                                                  static_cast<Eigen::Index>(row.size()));
    out.push_back(level + (at - means).dot(weights));
  }
  return out;
}

std::vector<svm_node> svm_row(const RegressionRow& row) {
  std::vector<svm_node> out;
  for (std::size_t f = 0; f < row.size(); ++f) out.push_back({static_cast<int>(f + 1), row[f]});
  out.push_back({-1, 0});
  return out;
}

std::vector<double> svr(std::span<const RegressionRow> x, std::span<const double> y,
                        std::span<const RegressionRow> test) {
  struct FreeModel {
    void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
  };
  std::vector<std::vector<svm_node>> rows;
  std::vector<svm_node*> examples;
  std::vector<double> numbers, targets(y.begin(), y.end());
  for (const RegressionRow& row : x) {
    rows.push_back(svm_row(row));
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  for (auto& row : rows) examples.push_back(row.data());
  svm_problem problem = {};
  problem.l = static_cast<int>(targets.size());
  problem.y = targets.data();
  problem.x = examples.data();
  svm_parameter parameter = {};
  parameter.svm_type = EPSILON_SVR;
  parameter.kernel_type = RBF;
  parameter.gamma = scaled_gamma(numbers, static_cast<Index>(x[0].size()));
  parameter.cache_size = 16;
  parameter.eps = 1e-3;
  parameter.C = 1;
  parameter.p = 0.1;
  parameter.shrinking = 1;
  if (const char* wrong = svm_check_parameter(&problem, &parameter)) throw std::logic_error(wrong);
  hear_libsvm();
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));
  std::vector<double> out;
  for (const RegressionRow& row : test)
    out.push_back(svm_predict(model.get(), svm_row(row).data()));
  return out;
}

std::vector<double> forest(std::span<const RegressionRow> x, std::span<const double> y,
                           std::span<const RegressionRow> test, StreamKey key, Threads threads) {
  const RandomForest grown(x, y, {}, key, threads);
  std::vector<double> out;
  for (const RegressionRow& row : test) out.push_back(grown.predict(row));
  return out;
}

}  // namespace

const char* regressor_name(Regressor regressor) {
  switch (regressor) {
    case Regressor::kRidge:
      return "ridge";
    case Regressor::kSvr:
      return "svr";
    case Regressor::kForest:
      return "random-forest";
  }
  throw std::logic_error("no such regressor");
}

std::vector<double> fit_predict(Regressor regressor, std::span<const RegressionRow> x,
                                std::span<const double> y, std::span<const RegressionRow> test,
                                StreamKey key, Threads threads) {
  if (x.empty() || x.size() != y.size() || x[0].empty())
    throw std::logic_error("regression without samples");
  switch (regressor) {
    case Regressor::kRidge:
      return ridge(x, y, test);
    case Regressor::kSvr:
      return svr(x, y, test);
    case Regressor::kForest:
      return forest(x, y, test, key, threads);
  }
  throw std::logic_error("no such regressor");
}

}  // namespace cupel
