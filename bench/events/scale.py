#!/usr/bin/env python3
"""Time and memory by size: `cupel stats` and `cupel run` on made facts, `cupel resolve` on made names.

scale.py --cupel build/check/cupel --dir /tmp/scale --facts 1e6 1e7 1e8 --runs 1e6 1e7 --names 1e5 1e6

Facts are those of an academic graph of 20 years, parted after 17 and 18 of them: three relations, a hundred facts for each
entity (10^6 entities at most), of whom some are in far more than others. Names are those of persons who write papers with others
of their circle and print one or more forms of their names; the truth is known. Counts are held against the script's own before
a line of a table is printed. --runs learns 17 years, validates on one, and is asked about both ends of the last two, step by
step: EdgeBank, and recurrency with its settings chosen in validation. One thread, processor time, with reading. Files are
removed; 10^8 facts take 2.2 GB and some minutes to write.
"""
import argparse
import json
import os
import pathlib
import random
import shutil

YEARS = range(2000, 2020)
CUTS = (2016, 2017, 2019)
CHUNK = 1_000_000
RELATIONS = "id,name,head_type,tail_type,direction,time_unit\n" + "".join(
    f'{i},"{name}","scientist","{tail}",{direction},"year"\n' for i, (name, tail, direction) in enumerate(
        [("collaboration", "scientist", "either"), ("partnership", "institution", "directed"),
         ("expertise", "capability", "directed")]))


def run(command: list, folder: pathlib.Path) -> tuple:
    """What the program prints, its processor time in seconds and its peak memory in MiB."""
    log = folder / "log"
    child = os.posix_spawn(command[0], command, os.environ,
                           file_actions=[(os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT, 0o600)])
    _, status, usage = os.wait4(child, 0)
    if status:
        raise SystemExit(f"cupel ended with {status}")
    return log.read_text(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def apart(folder: pathlib.Path, work) -> object:
    """What `work` returns, done by a process of its own: a program's peak begins with that of who starts it."""
    child = os.fork()
    if child == 0:
        try:
            (folder / "made").write_text(json.dumps(work()))
        finally:
            os._exit(0 if (folder / "made").exists() else 1)
    if os.waitpid(child, 0)[1]:
        raise SystemExit("the data were not made")
    return json.loads((folder / "made").read_text())


def write_facts(folder: pathlib.Path, count: int) -> dict:
    """The facts, and how many of each relation are in each part."""
    rng = random.Random(3)
    entities = max(100, min(1_000_000, count // 100))
    ends = {"scientist": (0, entities * 7 // 10), "institution": (entities * 7 // 10, entities * 8 // 10),
            "capability": (entities * 8 // 10, entities)}
    with (folder / "entities.csv").open("w") as out:
        out.write("id,type,name\n")
        for kind, (first, last) in ends.items():
            out.writelines(f'{i},"{kind}","N{i}"\n' for i in range(first, last))
    (folder / "relations.csv").write_text(RELATIONS)
    # Ids from which ends are drawn, the first ones far more often.
    pools = {kind: [first + int((last - first) * rng.random() ** 2) for _ in range(CHUNK)]
             for kind, (first, last) in ends.items()}
    shares = [("collaboration", "scientist", 0.6), ("partnership", "institution", 0.2), ("expertise", "capability", 0.2)]
    counted = {name: [0, 0, 0] for name, _, _ in shares}
    with (folder / "quadruples.csv").open("w") as out:
        out.write("timestamp,head,tail,relation_type\n")
        for place, year in enumerate(YEARS):
            left = count * (place + 1) // len(YEARS) - count * place // len(YEARS)
            while left > 0:
                chunk = min(left, CHUNK)
                left -= chunk
                done = 0
                for number, (name, tail, share) in enumerate(shares):
                    some = chunk - done if number == 2 else int(chunk * share)
                    done += some
                    form = f"{year},%d,%d,{number}\n".__mod__
                    out.writelines(map(form, zip(rng.choices(pools["scientist"], k=some), rng.choices(pools[tail], k=some))))
                    counted[name][sum(year > cut for cut in CUTS)] += some
    return counted


def facts_line(cupel: str, folder: pathlib.Path, count: int) -> str:
    expected = apart(folder, lambda: write_facts(folder, count))
    found, seconds, peak = run([cupel, "stats", str(folder), "--split", ",".join(map(str, CUTS)), "--json"], folder)
    found = json.loads(found)
    for place, part in enumerate(found["splits"][:3]):
        for name, counts in expected.items():
            if part[name] != counts[place]:
                raise SystemExit(f"{part['part']}: {part[name]} facts of {name} were counted, and {counts[place]} were made")
    repeated = found["groups"]["all"]["repeated"]
    size = (folder / "quadruples.csv").stat().st_size
    return f"| {count:,} | {size / 1e9:.2f} | {repeated:,} | {seconds:.1f} | {peak:.0f} |"


PROTOCOL = """title = "Large"
task = "events"
metric = "mrr"
[data]
datasets = ["{data}"]
[split]
scheme = "time"
cuts = "{cuts}"
[events]
question = "which"
setting = "single-step"
filter = "time"
[models.edge-bank]
[models.recurrency]
"""


def runs_lines(cupel: str, folder: pathlib.Path, count: int) -> str:
    facts = folder / "facts"
    facts.mkdir()
    expected = apart(folder, lambda: write_facts(facts, count))
    protocol = folder / "large.toml"
    protocol.write_text(PROTOCOL.format(data=facts.resolve(), cuts=",".join(map(str, CUTS))))
    asked = 2 * sum(counts[2] for counts in expected.values())
    lines = []
    for model in ("edge-bank", "recurrency"):
        store = ["--store", str(folder / model)]
        _, seconds, peak = run([cupel, "run", str(protocol), "--models", model, "--jobs", "1", *store], folder)
        report, _, _ = run([cupel, "report", str(protocol), "--format", "json", *store], folder)
        of_all = next(row for row in json.loads(report)["tables"][0]["event_scores"]
                      if (row["relation"], row["group"], row["metric"]) == ("all", "all", "mrr"))
        if of_all["n"] != asked:
            raise SystemExit(f"{model}: {of_all['n']} questions were asked, and {asked} were made")
        lines.append(f"| {count:,} | {model} | {asked:,} | {of_all['value']:.1f} | {seconds:.1f} | {peak:.0f} |")
    return "\n".join(lines)


def made_names(rng: random.Random, count: int, syllables: int) -> list:
    consonants, vowels = "b d f g h k l m n p r s t v w z ch sh".split(), "a e i o u".split()
    names = set()
    while len(names) < count:
        names.add("".join(rng.choice(consonants) + rng.choice(vowels) for _ in range(syllables)).capitalize())
    return sorted(names)


def write_names(folder: pathlib.Path, count: int) -> None:
    rng = random.Random(5)
    given, family = made_names(rng, 2000, 2), made_names(rng, max(2000, count // 8), 3)
    entities, persons = {}, []
    quadruples, authorships, gold = [], [], []

    def forms(person: tuple) -> list:
        first, initial, last = person
        out = [f"{first} {last}"]
        if rng.random() < 0.15:
            out.append(f"{first[0]}. {last}")
        if rng.random() < 0.15:
            out.append(f"{first} {initial}. {last}")
        return out

    paper = 0
    while len(entities) < count:
        circle = len(persons)
        persons += [forms((given[int(2000 * rng.random() ** 2)], rng.choice("ABCDEFGHJKLMNPRSTW"),
                           family[int(len(family) * rng.random() ** 2)])) for _ in range(40)]
        for _ in range(60):
            year = rng.choice(YEARS)
            authors = rng.sample(range(circle, circle + 40), rng.choice([2, 3, 3, 4]))
            ids = []
            for position, author in enumerate(authors):
                name = rng.choice(persons[author]) if rng.random() < 0.5 else persons[author][0]
                ids.append(entities.setdefault(name, len(entities)))
                authorships.append(f'"P{paper}",{position},{ids[-1]}\n')
                gold.append(f"P{paper},{position},{author}\n")
            quadruples += [(year, a, b) for place, a in enumerate(ids) for b in ids[place + 1:] if a != b]
            paper += 1
    quadruples.sort(key=lambda fact: fact[0])
    with (folder / "entities.csv").open("w") as out:
        out.write("id,type,name\n")
        out.writelines(f'{i},"scientist","{name}"\n' for name, i in entities.items())
    (folder / "relations.csv").write_text("".join(RELATIONS.splitlines(keepends=True)[:2]))
    with (folder / "quadruples.csv").open("w") as out:
        out.write("timestamp,head,tail,relation_type\n")
        out.writelines(f"{year},{a},{b},0\n" for year, a, b in quadruples)
    (folder / "authorships.csv").write_text("paper,position,entity\n" + "".join(authorships))
    (folder / "gold.csv").write_text("paper,position,person\n" + "".join(gold))


def names_line(cupel: str, folder: pathlib.Path, count: int) -> str:
    apart(folder, lambda: write_names(folder, count))
    # Once to judge, and once to be measured without that.
    command = [cupel, "resolve", str(folder), "--threads", "1", "--json", "--decisions-out"]
    found = json.loads(run(command + [str(folder / "judged.csv"), "--gold", str(folder / "gold.csv")], folder)[0])
    (folder / "log").unlink()
    _, seconds, peak = run(command + [str(folder / "decisions.csv")], folder)

    def scores(of: dict) -> str:
        return f"{of['b_cubed']['recall']:.3f} / {of['b_cubed']['precision']:.3f}"

    return f"| {count:,} | {scores(found['before'])} | {scores(found)} | {seconds:.1f} | {peak:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cupel", required=True)
    parser.add_argument("--dir", required=True, type=pathlib.Path)
    parser.add_argument("--facts", type=float, nargs="*", default=[])
    parser.add_argument("--runs", type=float, nargs="*", default=[])
    parser.add_argument("--names", type=float, nargs="*", default=[])
    arguments = parser.parse_args()
    heads = {"facts": "| facts | GB | repeated in test | CPU, s | peak, MiB |",
             "runs": "| facts | model | questions | MRR | CPU, s | peak, MiB |",
             "names": "| names | B-cubed recall / precision of exact names | resolved | CPU, s | peak, MiB |"}
    for what, line, sizes in (("facts", facts_line, arguments.facts), ("runs", runs_lines, arguments.runs),
                              ("names", names_line, arguments.names)):
        if sizes:
            print(heads[what] + "\n|" + "---|" * heads[what].count("|", 1))
        for size in sizes:
            folder = arguments.dir / f"{what}-{size:.0f}"
            folder.mkdir(parents=True)
            try:
                print(line(arguments.cupel, folder, int(size)), flush=True)
            finally:
                shutil.rmtree(folder)


if __name__ == "__main__":
    main()
