"""Sources that compile as one file: what one declares for itself must not be found by another."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parents[2] / "cmake" / "batches.py"


def own(text):
    return f"namespace cupel {{\nnamespace {{\n\n{text}\n\n}}  // namespace\n}}  // namespace cupel\n"


def batches(files, use=lambda folder: None):
    """Of each source that shares a batch, by name; `use` is called while the files are there."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, text in files.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text)
        sources = [folder / file for file in files if file.endswith(".cpp")]
        done = subprocess.run([sys.executable, SCRIPT, folder, folder / "out", *sources], stdout=subprocess.PIPE,
                              text=True, check=True)
        use(folder)
    return {pathlib.Path(path).name: batch for batch, path in map(str.split, done.stdout.splitlines())}


class Batches(unittest.TestCase):
    def together(self, a, b, **headers):
        files = {f"{name}.h": text for name, text in headers.items()}
        return len(set(batches({"a.cpp": a, "b.cpp": b, **files}).values())) == 1

    # What keeps a name from being made two: it is said of a member, too.
    USED = "auto used(int a) {\n  return size_of + kMost + kTable + kLeft + Row + twice + Place;\n}"
    KEPT = "int kept(int a) {\n  return at.size_of + at.kMost + at.kTable + at.kLeft + at.Row + at.twice + at.Place;\n}"

    def test_names_that_two_declare_and_that_cannot_be_made_two_part_them(self):
        for a, b in [
            ("int size_of(int a) {\n  return a;\n}", "double size_of(double a) {\n  return a;\n}"),
            ("constexpr int kFirst = 1, kMost = 2;", "constexpr int kMost = 3;"),
            ("constexpr int kTable[] = {1, 2};", "constexpr int kTable[] = {1};"),
            ("enum {\n  kLeft,\n  kRight = 2,\n};", "constexpr int kLeft = 1;"),
            ("struct Row {\n  int a;\n};", "class Row {};"),
            ("template <typename T>\nT twice(T a) {\n  return a;\n}", "int twice = 1;"),
            ("using Place = int;", "using Place = long;"),
            ("using Place =\n    int;", "using Place =\n    long;"),
        ]:
            with self.subTest(a=a):
                self.assertTrue(self.together(own(a), own(f"{b}\n{self.USED}")))
                self.assertFalse(self.together(own(a), own(b)))
                self.assertFalse(self.together(own(a), own(f"{b}\n{self.USED}\n{self.KEPT}")))
                self.assertTrue(self.together(own(a), own("int other = 1;")))

    def test_a_name_of_a_header_parts_from_who_includes_it(self):
        headers = {"deep": "namespace cupel {\n[[nodiscard]] int counted(double a);\n}  // namespace cupel\n",
                   "near": '#include "deep.h"\n'}
        a, b = own("int counted(int a) {\n  return a;\n}"), own("int b = 1;")
        self.assertTrue(self.together(a, b, **headers))
        self.assertFalse(self.together(a, '#include "near.h"\n' + b, **headers))

    def test_who_was_there_gives_way_to_a_name_of_a_header(self):
        header = {"count": "namespace cupel {\nint counted(int a);\n}  // namespace cupel\n"}
        a, b = own("int counted(int a) {\n  return a;\n}\nconst int one = counted(1);"), own("int b = 1;")
        self.assertTrue(self.together(a, '#include "count.h"\n' + b, **header))
        # One of a header and one for itself: no new name of the source that was there would part them.
        unused = own("int counted(long a) {\n  return 1;\n}")
        self.assertEqual(set(batches({"a.cpp": a, "b.cpp": '#include "count.h"\n' + b, "c.cpp": unused,
                                      "count.h": header["count"]})), {"a.cpp", "b.cpp"})

    def test_a_name_is_made_two_and_each_source_finds_its_own(self):
        header = "#pragma once\nnamespace cupel {\ninline int run_all(int a) { return a; }\n}  // namespace cupel\n"
        say = "extern const int {0};\nconst int {0} = run();\n".format
        files = {"both.h": header}
        for name, value in ("a", 1), ("b", 2), ("c", 3):
            files[f"{name}.cpp"] = ('#include "both.h"\nnamespace cupel {\nnamespace {\n\nint run() {\n'
                                    f"  return run_all({value});\n}}\n\n}}  // namespace\n{say(name)}}}  // namespace cupel\n")
        main = ("namespace cupel {\nextern const int a, b, c;\n}\n"
                "int main() { return 100 * cupel::a + 10 * cupel::b + cupel::c; }\n")

        def build(folder):
            (folder / "main.cc").write_text(main)
            subprocess.run(["c++", "-std=c++20", "-I", folder, folder / "out" / "batch0.cpp", folder / "main.cc", "-o",
                            folder / "program"], check=True)
            self.assertEqual(subprocess.run([folder / "program"]).returncode, 123)

        self.assertEqual(set(batches(files, build).values()), {"batch0"})

    def test_a_name_that_may_mean_something_else_in_its_source_is_not_made_two(self):
        header = {"kind": "namespace cupel {\nstruct Kind {\n  void run();\n};\n}  // namespace cupel\n"}
        a, b = own("int run() {\n  return 1;\n}"), own("int run() {\n  return 2;\n}\nconst int got = run();")
        of_kind = '#include "kind.h"\n' + b
        self.assertTrue(self.together(a, of_kind, **header))
        member = "namespace cupel {\nint Kind::all() {\n  return run();\n}\n}  // namespace cupel\n"
        self.assertFalse(self.together(a, of_kind + member, **header))
        self.assertFalse(self.together(a, "#if 1\n#endif\n" + of_kind, **header))
        self.assertFalse(self.together(a, b + "namespace cupel {\nint run(int a) {\n  return a;\n}\n}  // namespace cupel\n"))
        self.assertFalse(self.together(a, b + "TEST(Kind, run) {}\n"))
        self.assertFalse(self.together(own("using testing::Values;"), own("using std::Values;")))

    def test_what_is_found_by_its_arguments_keeps_its_name(self):
        for name in "void PrintTo(int a)", "int format_as(int a)", "bool operator==(A a, A b)":
            with self.subTest(name=name):
                both = own(f"{name} {{}}\n{name.replace('int a', 'long a')} {{}}")
                self.assertFalse(self.together(both, both))

    def test_a_keyword_is_no_name(self):
        self.assertTrue(self.together(*[own(f"static_assert(sizeof(int) == 4);\nint {name} = 1;") for name in "ab"]))

    def test_a_header_is_not_taken_out_of_its_condition(self):
        a, b = own("int run() {\n  return 1;\n}"), own("int run() {\n  return 2;\n}\nconst int got = run();")
        self.assertTrue(self.together(a, b))
        self.assertFalse(self.together(a, "#ifdef NOWHERE\n#include <nowhere.h>\n#endif\n" + b))

    def test_no_two_new_names_are_one(self):
        make = own("int make(int a) {\n  return a == 0 ? 1 : make(a - 1);\n}")

        def once(folder):
            text = (folder / "out" / "batch0.cpp").read_text()
            self.assertEqual(text.count("#define make make_of_deg\n"), 1)
            self.assertEqual(text.count("deg.cpp"), 1)

        batches({"a.cpp": own("int make() {\n  return 0;\n}"), "x/deg.cpp": make, "y/deg.cpp": make}, once)

    def test_sources_that_include_a_library_share_a_batch(self):
        most = 60
        heavy = {"json.h": "#include <nlohmann/json.hpp>\n"}
        files = {f"{i:02}.cpp": ('#include "json.h"\n' if i % 2 else "") + own(f"int of_{i} = 1;") for i in range(2 * most)}
        found = batches({**files, **heavy})
        self.assertEqual([len({found[f"{i:02}.cpp"] for i in range(first, 2 * most, 2)}) for first in (0, 1)], [1, 1])

    def test_sources_that_open_other_namespaces_are_parted(self):
        opened = "namespace cupel {\nusing namespace report;\n}  // namespace cupel\n"
        literals = "using namespace std::chrono_literals;\n"
        self.assertTrue(self.together(opened + own("int a = 1;"), opened + own("int b = 1;")))
        self.assertTrue(self.together(literals + own("int a = 1;"), own("int b = 1;")))
        self.assertFalse(self.together(opened + own("int a = 1;"), own("int b = 1;")))

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

    def test_batches_of_one_target_are_of_one_size(self):
        found = batches({f"{i:03}.cpp": own(f"int of_{i} = 1;") for i in range(130)})
        self.assertEqual(sorted(collections.Counter(found.values()).values()), [42, 44, 44])

    @staticmethod
    def vectorised(name, code="", macro=""):
        """What Highway compiles twice: it adds the width of a vector to a total, and the sum is called once."""
        return (f'#undef HWY_TARGET_INCLUDE\n#define HWY_TARGET_INCLUDE "{name}.cpp"\n{macro}'
                '#include "hwy/foreach_target.h"\n#include "hwy/highway.h"\n\nHWY_BEFORE_NAMESPACE();\n'
                f"namespace cupel::HWY_NAMESPACE {{\n{code}int {name.title()}(int a) {{\n  return a + {len(name)};\n}}\n\n"
                "}  // namespace cupel::HWY_NAMESPACE\nHWY_AFTER_NAMESPACE();\n\n#if HWY_ONCE\nnamespace cupel {\n\n"
                f"HWY_EXPORT({name.title()});\nint {name}(int a) {{ return HWY_DYNAMIC_DISPATCH({name.title()})(a); }}\n\n"
                "}  // namespace cupel\n#endif\n")

    TARGETS = "#pragma once\n#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)\n"

    def test_sources_that_are_compiled_for_each_set_of_instructions_share_a_batch(self):
        files = {"cupel/vector_targets.h": "", "one.cpp": self.vectorised("one"), "three.cpp": self.vectorised("three"),
                 "plain.cpp": own("int plain = 1;"), "other.cpp": own("int other = 1;")}

        def build(folder):
            (folder / "cupel" / "base").mkdir()
            (folder / "cupel" / "base" / "vector_targets.h").write_text(self.TARGETS)
            (folder / "main.cc").write_text("namespace cupel {\nint one(int);\nint three(int);\n}\n"
                                            "int main() { return cupel::one(1) * 10 + cupel::three(2); }\n")
            unit = next(file for file in (folder / "out").iterdir() if "one.cpp" in file.read_text())
            subprocess.run(["c++", "-std=c++20", "-I", folder, "-I", folder / "out", unit, folder / "main.cc", "-lhwy",
                            "-o", folder / "program"], check=True)
            self.assertEqual(subprocess.run([folder / "program"]).returncode, 47)
            symbols = subprocess.run(["nm", "-C", folder / "program"], stdout=subprocess.PIPE, text=True).stdout
            for name in "One", "Three":  # one of each set
                self.assertGreater(len(set(re.findall(rf"cupel::N_\w+::{name}\(int\)", symbols))), 1)

        found = batches(files, build)
        self.assertEqual(found["one.cpp"], found["three.cpp"])
        self.assertEqual(found["plain.cpp"], found["other.cpp"])
        self.assertNotEqual(found["one.cpp"], found["plain.cpp"])

    def test_what_is_compiled_for_each_set_keeps_its_names_and_its_macros(self):
        rows = "void Rows() {}\n\n"
        guard = "#ifndef CUPEL_A_CPP_\n#define CUPEL_A_CPP_\n#endif\n"
        a, b = self.vectorised("a", rows, guard), self.vectorised("b")
        self.assertTrue(self.together(a, b))
        self.assertFalse(self.together(a, self.vectorised("b", rows)))
        self.assertFalse(self.together(a, self.vectorised("b", macro="#define WIDTH 8\n")))

    def test_what_reaches_into_others_stands_alone(self):
        files = {"a.cpp": "#define A 1\n", "c.cpp": "HWY_BEFORE_NAMESPACE();\n",
                 "d.cpp": own("int d = 1;"), "e.cpp": own("int e = 1;")}
        self.assertEqual(sorted(batches(files)), ["d.cpp", "e.cpp"])


if __name__ == "__main__":
    unittest.main()
