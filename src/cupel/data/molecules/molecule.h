// Molecules from SMILES, with the integer features of OGB (Hu et al., "Open Graph Benchmark", 2020;
// ogb/utils/features.py): what ogbg-mol* data sets hold.
//
// Read with RDKit, an optional component of the build. Safe to call from many threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cupel/base/matrix.h"
#include "cupel/data/graph/graph.h"

namespace cupel {

inline constexpr Index kAtomFeatures = 9, kBondFeatures = 3;

// Each feature is the position of a value in OGB's list of the values that it tells apart; a value
// that is not listed has the last position, which OGB calls "misc".
struct Molecule {
  Index atoms = 0;  // without hydrogens that RDKit makes implicit; in the order of the SMILES
  std::vector<Edge> bonds;  // each once, in RDKit's order
  // atoms x 9: element (0 is hydrogen), chirality, degree with hydrogens, formal charge (5 is
  // none), hydrogens, radical electrons, hybridisation (SP, SP2, SP3, SP3D, SP3D2, misc), aromatic,
  // in ring
  std::vector<float> atom_features;
  // bonds x 3: type (single, double, triple, aromatic, misc), stereo (none, Z, E, cis, trans, any),
  // conjugated
  std::vector<float> bond_features;
  // Bemis-Murcko scaffold as canonical SMILES; "" of a molecule without a ring. With chirality: the
  // published splits of OGB are those of such scaffolds (exactly, on BACE, Tox21 and HIV), whereas
  // DeepChem leaves chirality out by default.
  std::string scaffold;
};

// Whether SMILES can be read by this build.
[[nodiscard]] bool molecules_available();
// Throws Error that names `where` and the package to install, unless they can.
void require_molecules(const std::string& where);

// Nothing if RDKit refuses the SMILES or it names no atom. Throws Error as require_molecules does.
[[nodiscard]] std::optional<Molecule> read_molecule(const std::string& smiles);

}  // namespace cupel
