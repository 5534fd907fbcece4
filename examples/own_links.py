"""A model of links of one's own in plain Python: how many neighbours two nodes share.

Cupel calls it as `python3 own_links.py TASK`; TASK is a folder with the task, and the scores go
there. Nothing in it tells which of the pairs of `pairs_test` are links: Cupel does the scoring.
With SciPy, `out` is csr_matrix((read(name + "_data"), read(name + "_indices"), read(name +
"_indptr"))), and the scores of pairs u, v are out[u].multiply(out.T.tocsr()[v]).sum(axis=1).
"""
import array, ast, struct, sys, zipfile

folder = sys.argv[1]
archive = zipfile.ZipFile(folder + "/task.npz")
members = archive.namelist()

def read(name):
    data = archive.read(name + ".npy")
    start = 10 + struct.unpack_from("<H", data, 8)[0]
    kind = ast.literal_eval(data[10:start].decode())["descr"]
    values = array.array({"<f4": "f", "<f8": "d", "<i4": "i", "<i8": "q"}[kind])
    values.frombytes(data[start:])
    return values

def write(name, scores):
    header = repr({"descr": "<f8", "fortran_order": False, "shape": (len(scores), 1)})
    header += " " * (-(len(header) + 11) % 64) + "\n"
    with open(folder + "/" + name, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        array.array("d", scores).tofile(file)

# Rows are pairs, or every target of each source.
def pairs_of(part):
    if "pairs_" + part + ".npy" in members:
        values = read("pairs_" + part)
        return zip(values[::2], values[1::2])
    begin, end = read("targets_" + part)
    return ((source, target) for source in read("sources_" + part) for target in range(begin, end))

# A shared neighbour is one that an arc of the source leads to and that has an arc to the target.
# Validation links carry messages too where the protocol has it so, for test pairs alone.
for part, name in (("test", "scores.npy"), ("valid", "valid_scores.npy")):
    graph = "message" if part == "test" and "message_indptr.npy" in members else "adj"
    start, targets = read(graph + "_indptr"), read(graph + "_indices")
    out = [set(targets[a:b]) for a, b in zip(start, start[1:])]
    into = [set() for _ in out]
    for source, reached in enumerate(out):
        for target in reached:
            into[target].add(source)
    write(name, [float(len(out[u] & into[v])) for u, v in pairs_of(part)])
