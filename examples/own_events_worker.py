"""A model of facts over time of one's own as a worker: started once, it does run after run. The model
is that of own_events.py: the more facts an answer had, the better.

For each run Cupel fills the folder that it names at the start, and writes a line of JSON to our
standard input. A line for each step follows, which we answer as own_events.py does, and then one
with `end`, after which we answer the run. A run begins with the past, whatever the run before was
told: what that has learnt must be forgotten.
"""
import array, ast, json, struct, sys, zipfile
from collections import defaultdict

folder = sys.argv[1]

def read(archive, name):
    data = archive.read(name + ".npy")
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    header = ast.literal_eval(data[10:start].decode())
    values = array.array({"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}[header["descr"]])
    values.frombytes(data[start:])
    columns = header["shape"][1] if len(header["shape"]) > 1 else 1
    return list(zip(*[iter(values)] * columns)) if columns > 1 else list(values)

def write(name, rows, columns, scores):
    header = repr({"descr": "<f4", "fortran_order": False, "shape": (rows, columns)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(folder + "/" + name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        scores.tofile(file)

def steps():
    for line in sys.stdin:
        said = json.loads(line)
        if "end" in said:
            return
        yield said

def foretell(task):
    with zipfile.ZipFile(folder + "/task.npz") as archive:
        undirected = read(archive, "undirected")
        past = read(archive, "facts_train")
    # How many facts of a relation each entity was in, as their target or as their source.
    counts = defaultdict(lambda: [0] * task["nodes"])

    def learn(facts):
        for s, r, o, _ in facts:
            counts[r, 0][o] += 1
            if not (undirected[r] and s == o):
                counts[r, 0 if undirected[r] else 1][s] += 1

    learn(past)
    for asked in steps():
        with zipfile.ZipFile(folder + "/" + asked["questions"]) as questions:
            learn(read(questions, "known"))
            scores = array.array("f")
            if "queries.npy" in questions.namelist():
                for given, r, source_asked in read(questions, "queries"):
                    own = counts[r, 0][given] if undirected[r] else 0
                    side = 1 if source_asked and not undirected[r] else 0
                    scores.extend([own + n for n in counts[r, side]])
            else:
                for s, r, o, _ in read(questions, "facts"):
                    scores.append(counts[r, 0][o] + (counts[r, 0][s] if undirected[r] else 0))
        write(asked["answer"], asked["rows"], asked["columns"], scores)
        print(asked["answer"], flush=True)

for line in sys.stdin:
    task = json.loads(line)
    try:
        foretell(task)
        answer = {"run": task["run"]}
    except Exception as error:
        answer = {"run": task["run"], "error": repr(error)}
    print(json.dumps(answer), flush=True)
