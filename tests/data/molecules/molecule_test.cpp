#include "cupel/data/molecules/molecule.h"

#include <gtest/gtest.h>

#include "data/formats/made_files.h"

namespace cupel {
namespace {

std::vector<float> atom(const Molecule& molecule, Index i) {
  const auto first = molecule.atom_features.begin() + i * kAtomFeatures;
  return {first, first + kAtomFeatures};
}

std::vector<float> bond(const Molecule& molecule, std::size_t i) {
  const auto first =
      molecule.bond_features.begin() + static_cast<std::ptrdiff_t>(i) * kBondFeatures;
  return {first, first + kBondFeatures};
}

using Row = std::vector<float>;

class MoleculeTest : public ::testing::Test {
  void SetUp() override {
    if (!molecules_available()) GTEST_SKIP() << "built without RDKit: no molecule is read";
  }
};

// The example in OGB's ogb/utils/features.py, with its expected vectors.
TEST_F(MoleculeTest, FeaturesAreThoseOfOgbsExample) {
  const auto molecule = read_molecule("Cl[C@H](/C=C/C)Br");
  ASSERT_TRUE(molecule);
  EXPECT_EQ(molecule->atoms, 6);
  EXPECT_EQ(atom(*molecule, 1), (Row{5, 2, 4, 5, 1, 0, 2, 0, 0}));
  EXPECT_EQ(bond(*molecule, 2), (Row{1, 2, 0}));
}

TEST_F(MoleculeTest, ValuesAreToldApart) {
  // Ammonium: charge +1 is position 6, four hydrogens.
  EXPECT_EQ(atom(*read_molecule("[NH4+]"), 0), (Row{6, 0, 4, 6, 4, 0, 2, 0, 0}));
  // A methyl radical has one unpaired electron.
  EXPECT_EQ(atom(*read_molecule("[CH3]"), 0)[5], 1);
  // Benzene: aromatic, in a ring; conjugated aromatic bonds.
  const auto benzene = read_molecule("c1ccccc1");
  EXPECT_EQ(atom(*benzene, 3), (Row{5, 0, 3, 5, 1, 0, 1, 1, 1}));
  EXPECT_EQ(bond(*benzene, 0), (Row{3, 0, 1}));
  EXPECT_EQ(benzene->bonds.size(), 6u);
  // Acetylene: SP, triple.
  EXPECT_EQ(atom(*read_molecule("C#C"), 0)[6], 0);
  EXPECT_EQ(bond(*read_molecule("C#C"), 0)[0], 2);
  // A dummy atom (number 0) and a dative bond are "misc".
  EXPECT_EQ(atom(*read_molecule("*C"), 0)[0], 118);
  EXPECT_EQ(bond(*read_molecule("N->[Cu]"), 0)[0], 4);
  // Sulphur hexafluoride: SP3D2.
  EXPECT_EQ(atom(*read_molecule("S(F)(F)(F)(F)(F)F"), 0)[6], 4);
  // Z is 1, E is 2.
  EXPECT_EQ(bond(*read_molecule("F/C=C\\F"), 1), (Row{1, 1, 0}));
  EXPECT_EQ(bond(*read_molecule("F/C=C/F"), 1), (Row{1, 2, 0}));
}

TEST_F(MoleculeTest, ScaffoldsAreRingsAndWhatJoinsThem) {
  EXPECT_EQ(read_molecule("Cc1ccccc1")->scaffold, "c1ccccc1");
  // The example of RDKit's MurckoScaffold module.
  EXPECT_EQ(read_molecule("Cc1cc(Oc2nccc(CCC)c2)ccc1")->scaffold, "c1ccc(Oc2ccccn2)cc1");
  EXPECT_EQ(read_molecule("CCO")->scaffold, "");
}

TEST_F(MoleculeTest, WhatIsNoMoleculeIsRefused) {
  for (const char* smiles : {"", "not", "C(C", "c1cccc1", "C(C)(C)(C)(C)C", "[Xx]", "C1CC"})
    EXPECT_FALSE(read_molecule(smiles)) << smiles;
}

TEST(Molecule, ABuildWithoutRdkitSaysWhatToInstall) {
  if (molecules_available()) GTEST_SKIP() << "built with RDKit";
  made::expect_error([] { (void)read_molecule("C"); }, {"librdkit-dev", "build again"});
}

}  // namespace
}  // namespace cupel
