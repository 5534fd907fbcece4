"""A model of one's own in plain Python: the nearest class mean of features averaged over hops.

Cupel calls it as `python3 own_model.py TASK`; TASK is a folder with the task, and the scores go
there. The test labels are not in it: what to predict is `idx_test`, and Cupel does the scoring. In a
search (`cupel tune`) `idx_test` is empty.
With NumPy, `read` is a member of np.load(TASK + "/task.npz"), and `write` is np.save.
"""
import array, ast, json, math, struct, sys, zipfile

folder = sys.argv[1]
archive = zipfile.ZipFile(folder + "/task.npz")
info = json.load(open(folder + "/task.json"))

def read(name):
    data = archive.read(name + ".npy")
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    kind = ast.literal_eval(data[10:start].decode())["descr"]
    values = array.array({"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}[kind])
    values.frombytes(data[start:])
    return values

def write(name, rows):
    header = repr({"descr": "<f8", "fortran_order": False, "shape": (len(rows), info["classes"])})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(folder + "/" + name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        array.array("d", [value for row in rows for value in row]).tofile(file)

# Features as a dictionary for each node: they come dense, or as compressed sparse rows.
nodes = info["nodes"]
if "attr_matrix.npy" in archive.namelist():
    dense = read("attr_matrix")
    width = len(dense) // nodes
    x = [dict(enumerate(dense[i * width:(i + 1) * width])) for i in range(nodes)]
else:
    start, columns, values = read("attr_indptr"), read("attr_indices"), read("attr_data")
    x = [dict(zip(columns[a:b], values[a:b])) for a, b in zip(start, start[1:])]

def sum_of(rows):
    out = {}
    for row in rows:
        for column, value in row.items():
            out[column] = out.get(column, 0.0) + value
    return out

def unit(row):
    length = math.sqrt(sum(value * value for value in row.values())) or 1.0
    return {column: value / length for column, value in row.items()}

# Each node becomes the sum of itself and its neighbours, at unit length, `hops` times.
start, neighbours = read("adj_indptr"), read("adj_indices")
for _ in range(info["settings"]["hops"]):
    x = [unit(sum_of([x[i]] + [x[j] for j in neighbours[start[i]:start[i + 1]]]))
         for i in range(nodes)]

train, labels = read("idx_train"), read("y_train")
means = [unit(sum_of(x[i] for i, y in zip(train, labels) if y == c))
         for c in range(info["classes"])]
for ids, name in (("idx_test", "scores.npy"), ("idx_valid", "valid_scores.npy")):
    write(name, [[sum(v * mean.get(k, 0.0) for k, v in x[i].items()) for mean in means]
                 for i in read(ids)])
