#include "cupel/api/facts_memory.h"

#include "cupel/base/error.h"
#include "cupel/base/words.h"
#include "cupel/data/facts/facts_forecast.h"
#include "cupel/lab/run/free_memory.h"

namespace cupel {
namespace {

std::string facts_text(const std::filesystem::path& place, const FactsForecast& forecast) {
  return fmt::format("{}: about {}", place.string(), counted(forecast.facts, "fact"));
}

}  // namespace

MemoryRoom memory_room(std::size_t most) {
  return most > 0 ? MemoryRoom{most, true} : MemoryRoom{free_memory(), false};
}

std::string hold_against(const MemoryRoom& room, const std::string& work, std::size_t bytes,
                         const char* less) {
  const std::string told =
      fmt::format("{} will take some {} of memory", work, byte_text(static_cast<double>(bytes)));
  const std::string there = byte_text(static_cast<double>(room.bytes));
  if (bytes > room.bytes && room.given)
    fail("{}, and --memory allows {}; allow more, or take fewer {}", told, there, less);
  if (bytes > room.bytes)
    fail("{}, and {} are free; close programs, use a larger machine, or try with --memory {}M",
         told, there, (bytes >> 20) + 1);
  if (bytes <= room.bytes / 4) return {};
  return fmt::format("{}; {} {}.", told, there, room.given ? "are allowed" : "are free");
}

std::string memory_for_facts(const std::filesystem::path& place, std::size_t most) {
  const FactsForecast forecast = facts_forecast(place);
  return hold_against(memory_room(most), facts_text(place, forecast), forecast.bytes);
}

std::string memory_for_conversion(const std::filesystem::path& place,
                                  const FactsConversion& written, std::size_t most) {
  const FactsForecast forecast = facts_forecast(place);
  std::size_t bytes = written.facts ? forecast.copied : forecast.bytes;
  // Of a fact in a split: its number, the same as JSON has it in memory, and as text.
  constexpr std::size_t kOfNumber = 4 + 16 + 28;
  bytes += kOfNumber * static_cast<std::size_t>(forecast.facts) *
           static_cast<std::size_t>(written.splits);
  return hold_against(memory_room(most), facts_text(place, forecast), bytes);
}

std::string memory_for_copy(const TemporalFacts& facts) {
  const std::size_t bytes =
      20 * facts.time.size() + 9 * facts.entity_types.size() + 2 * facts.entity_names.bytes();
  return hold_against(memory_room(0),
                      fmt::format("{}: a copy of its {}, read again from what is written,",
                                  facts.name, counted(facts.facts(), "fact")),
                      bytes);
}

}  // namespace cupel
