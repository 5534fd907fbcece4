#include "cupel/engine/kernels/dropout.h"

#include <memory>

#include "engine/kernels/reference.h"
#include "kernels/case.h"
#include "kernels/shapes.h"

namespace cupel::bench {

namespace {

const Cases kDropout([] {
  struct Data {
    Csr x = random_csr(1628, 1433, 18, false, 3);
    kernels::DrawPlan plan = kernels::DrawPlan::ragged(nullptr, 1628, x.row_ptr.data());
    AlignedVector<std::uint16_t> draws = AlignedVector<std::uint16_t>(plan.draws_capacity());
    AlignedVector<std::uint16_t> other = draws;
    std::vector<Offset> row_ptr = std::vector<Offset>(1629), row_ptr2 = row_ptr;
    std::vector<Index> columns = std::vector<Index>(x.columns.size() + 16), columns2 = columns;
    kernels::DropRate rate{0.8};
    kernels::DrawSource source{{1, 2}, 3, 4};
  };
  auto data = std::make_shared<Data>();
  Data* p = data.get();
  const std::size_t slots = p->plan.slot_rows.size();
  add_case({"fill_draws/X 1628 rows 18/row",
            [data, p, slots] {
              kernels::fill_draws(p->source, p->plan.slot_rows.data(), p->plan.slot_blocks.data(),
                                  slots, p->draws.data());
            },
            [p, slots] {
              reference::fill_draws(p->source, p->plan.slot_rows.data(), p->plan.slot_blocks.data(),
                                    slots, p->other.data());
            },
            [p, slots] {
              return std::equal(p->draws.begin(), p->draws.begin() + 8 * std::ptrdiff_t(slots),
                                p->other.begin())
                         ? 0.0
                         : 1.0;
            },
            0, double(slots) * (16 + 8), 0});
  add_case({"drop_entries/X 1628 rows 18/row",
            [data, p] {
              kernels::drop_entries(view(p->x), p->rate, p->plan, p->draws.data(),
                                    p->row_ptr.data(), p->columns.data(), nullptr);
            },
            [p] {
              reference::drop_entries(view(p->x), p->rate, p->plan, p->draws.data(),
                                      p->row_ptr2.data(), p->columns2.data(), nullptr);
            },
            [p] {
              const auto kept = static_cast<std::ptrdiff_t>(p->row_ptr2.back());
              return p->row_ptr == p->row_ptr2 &&
                             std::equal(p->columns.begin(), p->columns.begin() + kept,
                                        p->columns2.begin())
                         ? 0.0
                         : 1.0;
            },
            0, double(p->x.entries()) * (4 + 2 + 1), 0});
});

}  // namespace

}  // namespace cupel::bench
