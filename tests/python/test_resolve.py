"""Entities that are one: what `cupel resolve` does."""

import pathlib

import pytest

import cupel

NAMES = ("John Smithers", "J. A. Smithers", "John A. Smithers")


@pytest.fixture
def folder():
    """Facts of twelve papers: each of three names, perhaps of one, wrote with the same four people."""
    papers = [(name, other) for name in NAMES
              for other in ("Ada Zwolle", "Pierre Morand", "Ming Guo", "Olga Weiss")]
    lines = [f"Q{number},2015,a,{name};{other}" for number, (name, other) in enumerate(papers)]
    pathlib.Path("papers.csv").write_text("\n".join(["id,year,title,authors", *lines, ""]))
    pathlib.Path("gold.csv").write_text("name,person\n" + "".join(f"{n},john\n" for n in NAMES))
    cupel.build("expert", "records=papers.csv", "facts", progress=False)
    return "facts"


def test_a_folder_is_resolved_as_by_the_program(folder, program):
    ours = cupel.resolve(folder, out="ours", decisions_out="ours.csv", gold="gold.csv",
                         threshold=0.6, show=0.2, threads=1)
    theirs = program.json("resolve", folder, "--out", "theirs", "--decisions-out", "theirs.csv",
                          "--gold", "gold.csv", "--threshold", 0.6, "--show", 0.2)
    assert (ours.pop("path"), ours.pop("decisions")) == ("ours", "ours.csv")
    assert (theirs.pop("path"), theirs.pop("decisions")) == ("theirs", "theirs.csv")
    assert ours == theirs
    assert ours["counts"]["pairs accepted automatically"] > 0
    assert ours["pairwise"]["recall"] > ours["before"]["pairwise"]["recall"]
    files = {file.name: file.read_bytes() for file in pathlib.Path("ours").iterdir()}
    assert {"merged.csv", "provenance.json", "quadruples.csv"} <= set(files)
    assert files == {file.name: file.read_bytes() for file in pathlib.Path("theirs").iterdir()}
    assert cupel.load("./ours").hash == ours["content_hash"]
    assert pathlib.Path("ours.csv").read_text() == pathlib.Path("theirs.csv").read_text()

    # The table alone, and an edited one.
    again = cupel.resolve(folder, decisions="ours.csv", proposals=False, out="again")
    assert again["content_hash"] == ours["content_hash"] and "decisions" not in again
    apart = pathlib.Path("ours.csv").read_text().replace(",accept,", ",reject,")
    pathlib.Path("apart.csv").write_text(apart)
    kept = cupel.resolve(folder, decisions="apart.csv", out="kept")
    assert kept["content_hash"] == cupel.load("./facts").hash


def test_what_there_is_to_know_is_a_warning(folder):
    cupel.resolve(folder, out="ours", threshold=0.6)
    with pytest.warns(UserWarning, match="ours was merged before; gold by names cannot see") as told:
        cupel.resolve("ours", gold="gold.csv")
    assert told[0].filename == __file__


def test_proposals_go_to_a_table(folder, program):
    assert cupel.resolve(folder)["decisions"] == "decisions.csv"
    with pytest.raises(cupel.Error) as told:
        cupel.resolve(folder)
    assert str(told.value) == program.error("resolve", folder)
    assert str(told.value).startswith("decisions.csv: is there already")


def test_what_it_takes_is_told_beforehand(folder, program):
    told = cupel.resolve(folder, memory="1G", dry_run=True)
    assert told == program.json("resolve", folder, "--memory", "1G", "--dry-run")
    assert (told["entities"], told["authorships"]) == (7, 24)
    assert told["pairs"] > 0
    with pytest.raises(cupel.Error, match="facts: about .* and --memory allows 1.0 KB; allow more"):
        cupel.resolve(folder, memory="1K")
    with pytest.warns(UserWarning, match="pairs will take some 4.* of memory; 8.0 MB are allowed"):
        cupel.resolve(folder, out="ours", memory="8M")
    with pytest.raises(cupel.Error, match="memory: .*much"):
        cupel.resolve(folder, memory="much")


def test_bad_input(folder, program):
    for ours, theirs in (
            ({"threshold": 2}, ("--threshold", 2)),
            ({"threshold": 0.5, "show": 0.6}, ("--threshold", 0.5, "--show", 0.6)),
            ({"only": "robots"}, ("--only", "robots")),
            ({"proposals": False}, ("--no-proposals",)),
            ({"gold_ids": "xml"}, ("--gold-ids", "xml")),
            ({"gold": "none.csv"}, ("--gold", "none.csv")),
            ({"decisions": "none.csv", "out": "x"}, ("--decisions", "none.csv", "--out", "x")),
            ({"out": "facts/x"}, ("--out", "facts/x")),
            ({"out": "facts"}, ("--out", "facts"))):
        with pytest.raises(cupel.Error) as told:
            cupel.resolve(folder, **ours)
        assert str(told.value) == program.error("resolve", folder, *theirs)
    for wrong, part in (({"threshold": -0.5}, "--threshold -0.5 is below 0"),
                        ({"threshold": float("nan")}, "--threshold nan"),
                        ({"show": "much"}, "show: 'much' is no number"),
                        ({"threads": 0}, "threads: 0 is no whole number"),
                        ({"proposals": 1}, "proposals: 1 is neither True nor False"),
                        ({"gold": 3}, "gold: 3 is neither a name nor a path")):
        with pytest.raises(cupel.Error, match=part):
            cupel.resolve(folder, **wrong)
    with pytest.raises(cupel.Error, match="none: there is no such"):
        cupel.resolve("none")
    assert sorted(file.name for file in pathlib.Path().iterdir()) == \
        ["facts", "gold.csv", "papers.csv"]
