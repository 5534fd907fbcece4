// NumPy as the independent witness: it reads what is written here, and what it writes is read here.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cupel/base/random.h"
#include "cupel/data/formats/format.h"
#include "cupel/data/formats/npz.h"
#include "data/formats/made_files.h"
#include "programs.h"

namespace cupel {
namespace {

class NumPy : public testing::Test {
 protected:
  void SetUp() override {
    if (made::python_with_numpy().empty()) GTEST_SKIP() << made::kNeedsNumPy;
  }
  // Runs in the folder; output goes to out.txt there.
  void run(const std::string& script) {
    made::write_file(folder_ / "script.py", "import numpy as np\n" + script);
    const std::string command = "cd '" + folder_.path().string() + "' && " +
                                made::python_with_numpy() + " script.py > out.txt 2> err.txt";
    ASSERT_EQ(std::system(command.c_str()), 0) << made::file_content(folder_ / "err.txt");
  }
  std::string output() { return made::file_content(folder_ / "out.txt"); }

  const made::Folder folder_;
};

TEST_F(NumPy, EveryTypeInEitherOrderIsRead) {
  run(R"py(
rng = np.random.RandomState(5)
whole, real, text, listing = {}, {}, {}, []
for order in 'CF':
    for shape in [(), (0,), (7,), (3, 4), (4, 1), (2, 3, 4)]:
        for t in ['|b1', '|i1', '<i2', '<i4', '<i8', '|u1', '<u2', '<u4', '<u8', '>i4', '>u2']:
            low = 0 if t[1] in 'bu' else -3
            a = np.asarray(rng.randint(low, 2 if t[1] == 'b' else 100, shape)).astype(t)
            whole['w%d' % len(whole)] = np.asarray(a, order=order)
        for t in ['<f4', '<f8', '>f4', '>f8']:
            real['r%d' % len(real)] = np.asarray(np.asarray(rng.standard_normal(shape)).astype(t), order=order)
        for t in ['<U5', '>U5', 'S5']:
            a = np.asarray(rng.randint(0, 99999, shape)).astype(str).astype(t)
            text['t%d' % len(text)] = np.asarray(a, order=order)
np.savez('stored.npz', **whole, **real, **text)
np.savez_compressed('packed.npz', **whole, **real, **text)
for k, a in whole.items(): print(k, *[int(v) for v in a.flatten('C')])
for k, a in real.items(): print(k, *[float(np.float32(v)).hex() for v in a.flatten('C')])
for k, a in text.items(): print(k, *[v if isinstance(v, str) else v.decode() for v in a.flatten('C').tolist()])
)py");
  for (const char* name : {"stored.npz", "packed.npz"}) {
    const NpzFile file(folder_ / name);
    std::istringstream lines(output());
    std::string line;
    int members = 0;
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      std::string key, word;
      words >> key;
      const NpyArray a = file.read(key);
      std::vector<std::string> wanted;
      while (words >> word) wanted.push_back(word);
      ASSERT_EQ(a.items(), static_cast<std::int64_t>(wanted.size())) << key;
      if (key[0] == 'w') {
        const auto values = to_integers(a);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          ASSERT_EQ(values[i], std::stoll(wanted[i])) << key << " " << to_text(a.type);
        }
      } else if (key[0] == 'r') {
        const auto values = to_floats(a);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          ASSERT_EQ(values[i], std::strtof(wanted[i].c_str(), nullptr)) << key;
        }
      } else {
        ASSERT_EQ(to_texts(a), wanted) << key;
      }
      ++members;
    }
    EXPECT_EQ(members, 2 * 6 * (11 + 4 + 3));
  }
}

TEST_F(NumPy, ReadsWhatIsWrittenHere) {
  const std::vector<std::string> texts = {"Gr\xc3\xbc\xc3\x9f", "", "\xf0\x9f\x98\x80"};
  for (const bool deflate : {false, true}) {
    write_npz(folder_ / "ours.npz",
              {{"f", made::array<float>({1.5f, -2, 3, 4, 5, 6}, {2, 3})},
               {"i", made::array<std::int32_t>({-7, 8})},
               {"l", made::array<std::int64_t>({1LL << 60})},
               {"t", make_npy(std::span<const std::string>(texts))},
               {"none", made::array<float>({})}},
              deflate);
    write_npy(made::array<float>({1, 2}), folder_ / "ours.npy");
    run(R"py(
z = np.load('ours.npz', allow_pickle=False)
assert z.files == ['f', 'i', 'l', 't', 'none'], z.files
assert z['f'].dtype == '<f4' and z['f'].tolist() == [[1.5, -2, 3], [4, 5, 6]]
assert z['i'].dtype == '<i4' and z['i'].tolist() == [-7, 8]
assert z['l'].dtype == '<i8' and z['l'].tolist() == [1 << 60]
assert z['t'].tolist() == ['Gr\u00fc\u00df', '', '\U0001f600']
assert z['none'].shape == (0,)
assert np.load('ours.npy').tolist() == [1, 2]
import zipfile
assert zipfile.ZipFile('ours.npz').testzip() is None
)py");
  }
}

TEST_F(NumPy, CsrMeansWhatItMeansDense) {
  // Random, unsorted, repeated entries; the dense sum is NumPy's.
  run(R"py(
rng = np.random.RandomState(1)
n, d, e = 30, 11, 300
def csr(rows, cols):
    r, c = rng.randint(0, rows, e), rng.randint(0, cols, e)
    v = rng.randint(1, 9, e).astype('f4')
    order = np.argsort(r, kind='stable')
    dense = np.zeros((rows, cols), 'f4')
    np.add.at(dense, (r, c), v)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(r, minlength=rows))])
    return dict(data=v[order], indices=c[order], indptr=indptr, shape=(rows, cols)), dense
adj, dense_adj = csr(n, n)
attr, dense_attr = csr(n, d)
labels = rng.permutation(np.arange(n) % 4)
np.savez_compressed('g.npz', labels=labels, **{'adj_' + k: v for k, v in adj.items()},
                    **{'attr_' + k: v for k, v in attr.items()})
dense_adj.tofile('adj.bin'); dense_attr.tofile('attr.bin'); labels.astype('i4').tofile('labels.bin')
)py");
  const Dataset d = read_dataset(folder_ / "g.npz");
  made::check_dataset(d);
  const auto expect_dense = [&](const Csr& m, const std::string& file) {
    const std::string raw = made::file_content(folder_ / file);
    std::vector<float> wanted(raw.size() / sizeof(float)), got(wanted.size(), 0.0f);
    std::copy(raw.begin(), raw.end(), reinterpret_cast<char*>(wanted.data()));
    for (Index i = 0; i < m.rows; ++i) {
      for (Offset at = m.row_ptr[i]; at < m.row_ptr[i + 1]; ++at) {
        got[static_cast<std::size_t>(i) * m.cols + m.columns[at]] = m.value(at);
      }
    }
    EXPECT_EQ(got, wanted) << file;
  };
  expect_dense(d.adjacency, "adj.bin");
  expect_dense(std::get<Csr>(d.features), "attr.bin");
  const std::string raw = made::file_content(folder_ / "labels.bin");
  std::vector<Index> labels(raw.size() / sizeof(Index));
  std::copy(raw.begin(), raw.end(), reinterpret_cast<char*>(labels.data()));
  EXPECT_EQ(d.labels(), labels);
}

TEST_F(NumPy, HeterophilousFilesAsItsAuthorsWriteThem) {
  run(R"py(
rng = np.random.RandomState(2)
n = 40
part = np.array([rng.permutation(np.arange(n) % 3) for _ in range(10)])
masks = {k: np.asfortranarray(part == p) for p, k in enumerate(['train_masks', 'val_masks', 'test_masks'])}
x = rng.standard_normal((n, 6)).astype('f4')
np.savez_compressed('h.npz', node_features=np.asfortranarray(x), node_labels=np.arange(n) % 5,
                    edges=np.array([[i, (i * 7 + 1) % n] for i in range(n)]), **masks)
x.tofile('x.bin'); part.astype('i4').tofile('part.bin')
)py");
  const Dataset d = read_dataset(folder_ / "h.npz");
  made::check_dataset(d);
  const std::string raw = made::file_content(folder_ / "x.bin");
  const auto& x = std::get<Matrix>(d.features);
  ASSERT_EQ(raw.size(), x.values.size() * sizeof(float));
  EXPECT_TRUE(std::equal(raw.begin(), raw.end(), reinterpret_cast<const char*>(x.values.data())));
  const std::string parts = made::file_content(folder_ / "part.bin");
  std::vector<std::int32_t> part(parts.size() / 4);
  std::copy(parts.begin(), parts.end(), reinterpret_cast<char*>(part.data()));
  ASSERT_EQ(d.stored_splits.size(), 10u);
  for (int s = 0; s < 10; ++s) {
    for (const Index i : d.stored_splits[s].train) EXPECT_EQ(part[s * 40 + i], 0);
    for (const Index i : d.stored_splits[s].valid) EXPECT_EQ(part[s * 40 + i], 1);
    for (const Index i : d.stored_splits[s].test) EXPECT_EQ(part[s * 40 + i], 2);
    EXPECT_EQ(d.stored_splits[s].train.size() + d.stored_splits[s].valid.size() +
                  d.stored_splits[s].test.size(),
              40u);
  }
}

TEST_F(NumPy, PicklesAreRefused) {
  run("np.save('o.npy', np.array([{'a': 1}], dtype=object), allow_pickle=True)\n");
  made::expect_error([&] { (void)read_npy(folder_ / "o.npy"); }, {"Python objects"});
}

}  // namespace
}  // namespace cupel
