"""Sources that compile as one file: what one declares for itself must not be found by another."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "cmake" / "batches.py"


def own(text):
    return f"namespace cupel {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace cupel\n"


def batches(files):
    """Of each source that shares a batch, by name."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in files.items():
            (folder / file).write_text(text)
        sources = [folder / file for file in files if file.endswith(".cpp")]
        done = subprocess.run([sys.executable, SCRIPT, folder, *sources], stdout=subprocess.PIPE, text=True, check=True)
    return {pathlib.Path(path).name: batch for batch, path in map(str.split, done.stdout.splitlines())}


class Batches(unittest.TestCase):
    def together(self, a, b, **headers):
        files = {f"{name}.h": text for name, text in headers.items()}
        return len(set(batches({"a.cpp": a, "b.cpp": b, **files}).values())) == 1

    def test_names_that_two_declare_part_them(self):
        for a, b in [
            ("int size_of(int a) {\n  return a;\n}", "double size_of(double a) {\n  return a;\n}"),
            ("constexpr int kFirst = 1, kMost = 2;", "constexpr int kMost = 3;"),
            ("constexpr int kTable[] = {1, 2};", "constexpr int kTable[] = {1};"),
            ("enum {\n  kLeft,\n  kRight = 2,\n};", "constexpr int kLeft = 1;"),
            ("struct Row {\n  int a;\n};", "class Row {};"),
            ("template <typename T>\nT twice(T a) {\n  return a;\n}", "int twice = 1;"),
            ("using Place = int;", "using Place = long;"),
            ("using Place =\n    int;", "using Place =\n    long;"),
            ("using testing::Values;", "using std::Values;"),
        ]:
            with self.subTest(a=a):
                self.assertFalse(self.together(own(a), own(b)))
                self.assertTrue(self.together(own(a), own("int other = 1;")))

    def test_a_name_of_a_header_parts_from_who_includes_it(self):
        headers = {"deep": "namespace cupel {\n[[nodiscard]] int counted(double a);\n}  // namespace cupel\n",
                   "near": '#include "deep.h"\n'}
        a, b = own("int counted(int a) {\n  return a;\n}"), own("int b = 1;")
        self.assertTrue(self.together(a, b, **headers))
        self.assertFalse(self.together(a, '#include "near.h"\n' + b, **headers))

    def test_batches_are_the_same_each_time(self):
        # Two headers say different things of a name. Python orders sets anew in each process.
        headers = {"one": "namespace cupel {\nusing Values = int;\n}  // namespace cupel\n",
                   "two": "namespace cupel {\nvoid Values();\n}  // namespace cupel\n"}
        a = '#include "one.h"\n#include "two.h"\n' + own("int a = 1;")
        found = {self.together(a, own("using testing::Values;"), **headers) for _ in range(16)}
        self.assertEqual(len(found), 1)

    def test_members_locals_and_equal_aliases_part_nobody(self):
        alias = "namespace fs = std::filesystem;\nusing testing::Values;\n"
        self.assertTrue(self.together(own(alias + "struct A {\n  int size = 0;\n};"),
                                      own(alias + "int b() {\n  const int size = 1;\n  return size;\n}")))

    def test_what_reaches_into_others_stands_alone(self):
        files = {"a.cpp": "#define A 1\n", "b.cpp": "using namespace std;\n", "c.cpp": "HWY_BEFORE_NAMESPACE();\n",
                 "d.cpp": own("int d = 1;"), "e.cpp": own("int e = 1;")}
        self.assertEqual(sorted(batches(files)), ["d.cpp", "e.cpp"])


if __name__ == "__main__":
    unittest.main()
