// Tables of numbers in csv files without a header line, plain or gzip-compressed: what pandas
// writes with header=False, index=False.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "cupel/base/matrix.h"
#include "cupel/data/formats/line_reader.h"

namespace cupel {

// Calls `row` for each line with its `columns` whole numbers, valid during the call; empty lines
// are skipped. The reader is there for messages. Throws Error naming file, line and text for
// anything else.
void read_integer_rows(
    const std::filesystem::path& path, std::size_t columns,
    const std::function<void(LineReader& reader, std::span<const std::int64_t> row)>& row);

enum class Gaps { kRefused, kUnknown };  // kUnknown: nothing, "" and nan become NaN

// Calls `row` for each line that is not empty with its numbers, as many as the first has, valid
// during the call. Throws Error naming file, line and text for a number that is not finite as a
// float32 or a row of another length.
void read_number_rows(
    const std::filesystem::path& path, Gaps gaps,
    const std::function<void(LineReader& reader, std::span<const float> row)>& row);

// All of them. Throws Error as well for more rows than a matrix can have.
[[nodiscard]] Matrix read_number_table(const std::filesystem::path& path, Gaps gaps);

}  // namespace cupel
