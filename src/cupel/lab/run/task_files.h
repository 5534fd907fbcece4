// The files of a task as an external program gets them (external.h), to develop one with.
#pragma once

#include <filesystem>

#include "cupel/learn/task.h"

namespace cupel {

// task.npz as external.h describes it. No test label is in it.
void write_task_npz(const std::filesystem::path& path, const View& view);

}  // namespace cupel
