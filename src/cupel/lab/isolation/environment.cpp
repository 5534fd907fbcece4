#include "cupel/lab/isolation/environment.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

namespace cupel {
namespace {

// A name, or with a '*' at its end the beginning of names. The table in docs/protocols.md says the
// same.
// clang-format off
constexpr std::string_view kPassed[] = {
    // The user and the machine's language.
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "LC_*", "TZ",
    // Interpreters and what they load.
    "LD_LIBRARY_PATH", "PYTHON*", "VIRTUAL_ENV", "CONDA_*", "PYENV_*", "R_HOME", "R_LIBS*", "JULIA_*",
    // Threads and arithmetic.
    "OMP_*", "GOMP_*", "KMP_*", "MKL_*", "OPENBLAS_*", "BLIS_*", "NUMEXPR_*", "RAYON_*", "MALLOC_*",
    // Accelerators.
    "CUDA_*", "NVIDIA_*", "CUBLAS_*", "CUDNN_*", "NCCL_*", "HIP_*", "HSA_*", "ROCR_*", "ROCM_*",
    // Frameworks.
    "TORCH_*", "PYTORCH_*", "TF_CPP_*", "TF_ENABLE_*", "TF_FORCE_*", "TF_GPU_*", "TF_NUM_*", "TF_XLA_*",
    "XLA_*", "JAX_*", "DGL*"};
// What holds one of these is a secret, whatever it begins with.
constexpr std::string_view kSecret[] = {"KEY", "TOKEN", "SECRET", "PASSW", "CREDENTIAL"};
// clang-format on

bool passed(std::string_view name) {
  const bool secret =
      std::any_of(std::begin(kSecret), std::end(kSecret),
                  [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
  return !secret &&
         std::any_of(std::begin(kPassed), std::end(kPassed), [&](std::string_view known) {
           if (known.back() != '*') return name == known;
           known.remove_suffix(1);
           return name.starts_with(known);
         });
}

}  // namespace

std::vector<std::string> program_environment(
    const std::vector<std::pair<std::string, std::string>>& own) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (passed(text.substr(0, text.find('=')))) out.emplace_back(text);
  }
  for (const auto& [name, value] : own) {
    const bool set = std::any_of(out.begin(), out.end(), [&, &name = name](const auto& entry) {
      return entry.starts_with(name + "=");
    });
    if (!set) out.push_back(name + "=" + value);
  }
  return out;
}

}  // namespace cupel
