"""A model of facts over time of one's own in plain Python: the more facts an answer had, the better.

Cupel calls it as `python3 own_events.py TASK`; TASK is a folder with the past. What happens next is
asked step by step: a line of the standard input names a file of questions, which also has what has
come to be known since, and the file that Cupel takes the scores from once its name is printed.
With NumPy, `read` is a member of np.load, and `write` is np.save.
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

with zipfile.ZipFile(folder + "/task.npz") as task:
    undirected = read(task, "undirected")
    past = read(task, "facts_train")
with open(folder + "/task.json") as file:
    entities = json.load(file)["nodes"]

# How many facts of a relation each entity was in, as their target or as their source.
counts = defaultdict(lambda: [0] * entities)

def learn(facts):
    for s, r, o, _ in facts:
        counts[r, 0][o] += 1
        if not (undirected[r] and s == o):
            counts[r, 0 if undirected[r] else 1][s] += 1

learn(past)
for line in sys.stdin:
    asked = json.loads(line)
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
