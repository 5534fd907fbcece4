#include "cupel/engine/kernels/fused.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cupel/engine/kernels/fused.cpp"
#include "cupel/base/vector_targets.h"
// clang-format off
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace cupel::kernels::HWY_NAMESPACE {

Rounding OfTarget() {
  if (HWY_NATIVE_FMA == 0) return Rounding::kTwice;
  return HWY_MAX_BYTES >= 32 ? Rounding::kFused : Rounding::kFusedByFour;
}

}  // namespace cupel::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cupel::kernels {

HWY_EXPORT(OfTarget);

Rounding rounding() { return HWY_DYNAMIC_DISPATCH(OfTarget)(); }

}  // namespace cupel::kernels
#endif  // HWY_ONCE
