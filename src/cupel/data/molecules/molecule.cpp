#include "cupel/data/molecules/molecule.h"

#include "cupel/base/error.h"

#ifdef CUPEL_RDKIT
#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/GraphMol.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/RDLog.h>

#include <memory>
#include <mutex>
#endif

namespace cupel {

#ifdef CUPEL_RDKIT
namespace {

// Position of `value` in a list of `count` values from `first` on, or behind them ("misc").
int position(int value, int first, int count) {
  return value >= first && value < first + count ? value - first : count;
}

int chirality(const RDKit::Atom& atom) {
  switch (atom.getChiralTag()) {
    case RDKit::Atom::CHI_UNSPECIFIED:
      return 0;
    case RDKit::Atom::CHI_TETRAHEDRAL_CW:
      return 1;
    case RDKit::Atom::CHI_TETRAHEDRAL_CCW:
      return 2;
    case RDKit::Atom::CHI_OTHER:
      return 3;
    default:
      return 4;
  }
}

int hybridisation(const RDKit::Atom& atom) {
  switch (atom.getHybridization()) {
    case RDKit::Atom::SP:
      return 0;
    case RDKit::Atom::SP2:
      return 1;
    case RDKit::Atom::SP3:
      return 2;
    case RDKit::Atom::SP3D:
      return 3;
    case RDKit::Atom::SP3D2:
      return 4;
    default:
      return 5;
  }
}

int bond_type(const RDKit::Bond& bond) {
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
      return 0;
    case RDKit::Bond::DOUBLE:
      return 1;
    case RDKit::Bond::TRIPLE:
      return 2;
    case RDKit::Bond::AROMATIC:
      return 3;
    default:
      return 4;
  }
}

int bond_stereo(const RDKit::Bond& bond) {
  switch (bond.getStereo()) {
    case RDKit::Bond::STEREOZ:
      return 1;
    case RDKit::Bond::STEREOE:
      return 2;
    case RDKit::Bond::STEREOCIS:
      return 3;
    case RDKit::Bond::STEREOTRANS:
      return 4;
    case RDKit::Bond::STEREOANY:
      return 5;
    default:
      return 0;
  }
}

void add_atom(const RDKit::ROMol& mol, const RDKit::Atom& atom, Molecule& out) {
  const int features[kAtomFeatures] = {
      position(atom.getAtomicNum(), 1, 118),
      chirality(atom),
      position(static_cast<int>(atom.getTotalDegree()), 0, 11),
      position(atom.getFormalCharge(), -5, 11),
      position(static_cast<int>(atom.getTotalNumHs()), 0, 9),
      position(static_cast<int>(atom.getNumRadicalElectrons()), 0, 5),
      hybridisation(atom),
      atom.getIsAromatic(),
      mol.getRingInfo()->numAtomRings(atom.getIdx()) != 0};
  for (const int value : features) out.atom_features.push_back(static_cast<float>(value));
}

void add_bond(const RDKit::Bond& bond, Molecule& out) {
  out.bonds.push_back(
      {static_cast<Index>(bond.getBeginAtomIdx()), static_cast<Index>(bond.getEndAtomIdx())});
  const int features[kBondFeatures] = {bond_type(bond), bond_stereo(bond), bond.getIsConjugated()};
  for (const int value : features) out.bond_features.push_back(static_cast<float>(value));
}

// As RDKit's Python function MurckoScaffoldSmiles(includeChirality=True) does it.
std::string murcko_scaffold(const RDKit::ROMol& mol) {
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(mol));
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  return RDKit::MolToSmiles(*scaffold, true);
}

}  // namespace

bool molecules_available() { return true; }

void require_molecules(const std::string&) {}

std::optional<Molecule> read_molecule(const std::string& smiles) {
  static std::once_flag quiet;  // RDKit writes what it refuses to the standard error
  std::call_once(quiet, [] { boost::logging::disable_logs("rdApp.*"); });
  std::unique_ptr<RDKit::RWMol> mol;
  Molecule out;
  try {
    mol.reset(RDKit::SmilesToMol(smiles));
    if (!mol || mol->getNumAtoms() == 0) return std::nullopt;
    out.atoms = static_cast<Index>(mol->getNumAtoms());
    for (const RDKit::Atom* atom : mol->atoms()) add_atom(*mol, *atom, out);
    for (const RDKit::Bond* bond : mol->bonds()) add_bond(*bond, out);
    out.scaffold = murcko_scaffold(*mol);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {  // of sanitisation: valences, rings that cannot be kekulised
    return std::nullopt;
  }
  return out;
}

#else

bool molecules_available() { return false; }

void require_molecules(const std::string& where) {
  fail(
      "{}: holds SMILES, and this program was built without RDKit, which reads them; install the "
      "package librdkit-dev (scripts/deps --molecules) and build again",
      where);
}

std::optional<Molecule> read_molecule(const std::string& smiles) {
  require_molecules(smiles);
  return std::nullopt;
}

#endif

}  // namespace cupel
