#include "cupel/api/facts_memory.h"

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/facts/facts_forecast.h"
#include "cupel/lab/run/free_memory.h"

namespace cupel {

std::string memory_for_facts(const std::filesystem::path& place, std::size_t most) {
  const FactsForecast forecast = facts_forecast(place);
  const std::size_t room = most > 0 ? most : free_memory();
  const std::string told =
      fmt::format("{}: about {} will take some {} of memory", place.string(),
                  counted(forecast.facts, "fact"), byte_text(static_cast<double>(forecast.bytes)));
  const std::string there = byte_text(static_cast<double>(room));
  if (forecast.bytes > room && most > 0)
    fail("{}, and --memory allows {}; allow more, or take fewer facts", told, there);
  if (forecast.bytes > room)
    fail("{}, and {} are free; close programs, use a larger machine, or try with --memory {}M",
         told, there, (forecast.bytes >> 20) + 1);
  if (forecast.bytes <= room / 4) return {};
  return fmt::format("{}; {} {}.", told, there, most > 0 ? "are allowed" : "are free");
}

}  // namespace cupel
