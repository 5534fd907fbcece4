// Tensors inside the pickle of a torch.save file.
#pragma once

#include <string>

#include "cupel/data/formats/npy.h"
#include "cupel/data/formats/pickle.h"
#include "cupel/data/formats/zip.h"

namespace cupel {

[[nodiscard]] bool is_tensor(const PickleValue& value);

// The tensor (or numpy array) as an array in row-major order, its storage read from the archive
// under `folder` + "data/". `where` names it in messages. Throws Error unless it is one of whole
// numbers, floats of 4 or 8 bytes or flags, which lies inside a storage that the archive really has
// and has no more elements than it.
[[nodiscard]] NpyArray tensor_of(const ZipArchive& archive, const std::string& folder,
                                 const PickleValue& value, const std::string& where);

}  // namespace cupel
