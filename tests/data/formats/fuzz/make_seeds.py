#!/usr/bin/env python3
"""Writes what fuzzing the readers begins with: small valid inputs of every target.

    make_seeds.py FOLDER    writes FOLDER/TARGET/NAME

The parts of an input stand between lines of "%%", in the order that TARGET_fuzzer.cpp names.
"""
import gzip
import io
import json
import pathlib
import sys
import zipfile

import numpy as np

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"


def npy(values, dtype=None, order="C"):
    out = io.BytesIO()
    np.save(out, np.asarray(values, dtype, order=order))
    return out.getvalue()


def parts(*contents):
    return b"\n%%\n".join(c if isinstance(c, bytes) else c.encode() for c in contents)


def archive(members, compression):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content, compression)
    return out.getvalue()


def gnn_benchmark():
    adjacency = [npy([1, 1, 2, 1], "f4"), npy([1, 0, 2, 3], "i4"), npy([0, 1, 3, 4, 4, 4], "i4"), npy([5, 5])]
    sparse = [npy([1, 0.5, 1, 3, 1], "f4"), npy([0, 2, 1, 0, 2], "i4"), npy([0, 2, 3, 3, 4, 5], "i4"), npy([5, 3])]
    split = [npy([3, 0]), npy([2]), npy([1, 4])]
    names = npy(["tea", "Café", ""])
    one_hot = [npy([1] * 5, "f4"), npy([0, 1, 2, 1, 0], "i4"), npy(range(6), "i4"), npy([5, 3])]
    labels = npy([0, 1, 2, 1, -1], "i4")
    return {
        "sparse": parts(*adjacency, *sparse, labels, names, *split),
        "dense": parts(*adjacency, *[""] * 4, labels, *[""] * 4, npy(np.ones((5, 2)), order="F")),
        "one-hot": parts(*adjacency, *sparse, "", "", *split, "", *one_hot),
    }


def heterophilous():
    mask = lambda rows: npy(rows, "?", "F")
    masks = [mask([[1, 1, 0, 0], [0, 0, 1, 1]]), mask([[0, 0, 1, 0], [0, 1, 0, 0]]), mask([[0, 0, 0, 1], [1, 0, 0, 0]])]
    graph = [npy([[1, 0], [0, 1], [0.5, 0.5], [2, 2]], "f4"), npy([0, 1, 1, 0]), npy([[0, 1], [1, 2], [3, 0]])]
    return {"splits": parts(*graph, *masks), "plain": parts(*graph)}


def wiki_cs_json():
    data = {"features": [[0.1, -2], [1e-3, 0], [0.5, 1e2], [0, 0], [1, 2], [3, 4]], "labels": [0, 1, 1, 0, 1, 0],
            "links": [[4, 1, 4], [], [2], [0], [5], [3, 0]], "train_masks": [[i == 0 for i in range(6)]] * 2,
            "stopping_masks": [[i == 1 for i in range(6)]] * 2, "val_masks": [[i == 2 for i in range(6)]] * 2,
            "test_mask": [i > 3 for i in range(6)]}
    nodes = [{"id": i, "title": "T\u00e9", "label": "ab"[data["labels"][i]], "outlinks": links, "tokens": ["x", "\U0001f600"]}
             for i, links in enumerate(data["links"])]
    names = {"labels": {0: "a", 1: "b"}}
    flat = {"test_mask": [1, 0, 0], "links": [[1], [], []], "train_mask": [0, 1, 0], "features": [[1], [2], [3e5]],
            "val_mask": [0, 0, 1], "labels": [7, 3, -1]}
    plain = {"labels": [0], "links": [[0]], "features": [[1e-3]]}
    return {"full": parts(json.dumps(data), json.dumps({**names, "nodes": nodes})),
            "names": parts(json.dumps(data, indent=1), json.dumps(names)),
            "flat": parts(json.dumps(flat)), "plain": parts(json.dumps(plain))}


def pyg():
    graph = [npy([[1], [2], [3]], "f4"), npy([[0, 1], [1, 2]]), npy([0, 1, 1])]
    masks = [npy([1, 0, 0], "?"), npy([[0, 0], [1, 0], [0, 1]], "?"), npy([[0, 0], [0, 1], [1, 0]], "?")]
    return {"splits": parts(*graph, npy([0.5, 2]), *masks), "plain": parts(*graph)}


def wikipedia():
    graph = [npy(np.arange(10).reshape(5, 2)), npy([[0, 1], [1, 2]]), npy([5, 4, 3, 2, 1], "f4")]
    return {"plain": parts(*graph), "split": parts(*graph, *[npy(np.arange(5) == k) for k in range(3)])}


def zips():
    graph = {"x.npy": npy([[1], [2]], "f4"), "edge_index.npy": npy([[0], [1]]), "y.npy": npy([0, 1])}
    tu = {"t/t_A.txt": "1,2\n", "t/t_graph_indicator.txt": "1\n1\n", "t/t_graph_labels.txt": "1\n"}
    return {
        "stored": archive(graph, zipfile.ZIP_STORED),
        "deflated": archive(graph, zipfile.ZIP_DEFLATED),
        "tu": archive(tu, zipfile.ZIP_DEFLATED),
        "torch": (FIXTURES / "pyg1.pt").read_bytes(),
    }


def npys():
    kinds = ["|b1", "|i1", "<u2", ">i4", "<u8", "<f4", ">f8", "<U3", "|S4"]
    out = {"kind%d" % k: npy(np.asarray(["1", "0"]) if kind[0] in "<|" and kind[1] in "US" else [1, 0], kind)
           for k, kind in enumerate(kinds)}
    out["fortran"] = npy([[1, 2, 3], [4, 5, 6]], "f4", "F")
    return out


def torch():
    out = {}
    for name in ["pyg1.pt", "pyg2.pt", "processed.pt", "several.pt"]:
        with zipfile.ZipFile(FIXTURES / name) as file:
            folder = file.namelist()[0].split("/")[0]
            data = [file.read(folder + "/data.pkl")]
            for k in range(7):
                key = "%s/data/%d" % (folder, k)
                data.append(file.read(key) if key in file.namelist() else b"")
            out[name.split(".")[0]] = parts(*data)
    return out


def planetoid():
    kinds = ["x", "tx", "allx", "y", "ty", "ally", "graph", "test.index"]
    return {stem: parts(*[(FIXTURES / ("ind.%s.%s" % (stem, kind))).read_bytes() for kind in kinds])
            for stem in ["tiny0", "tiny2"]}


TU = ["-1\n1\n", "1\n1\n1\n2\n2\n", "1, 2\n2, 1\n2, 3\n4, 5\n", "5\n7\n5\n5\n7\n", "1\n1\n2\n2\n",
      "0.5,1\n1,2\n1e-3,0\n2,2\n0,0\n", "1,2\n3,4\n5,6\n7,8\n", "0\n", "1\n", "1\n"]
NODES = ["4\n", "0\n1\nnan\n1\n", "0,1\n1,2\n3,0\n", "0.5,1\n1,2\n-1,0\n3,3\n", "0\n", "1\n", "3\n"]
TEXT = ["node,label\nann,tea\n\"b,ob\",coffee\ncy,tea\n7,\"a \"\"b\"\"\"\n",
        "source,target,weight\nann,\"b,ob\",1\n\"b,ob\",cy,0.5\ncy,7,2e-1\n",
        "node,x,y\nann,1,2\n7,0,-1.5\ncy,1e3,4\n\"b,ob\",1,1\n",
        '{"splits": [{"train": ["ann", 7], "valid": ["b,ob"], "test": ["cy"]}]}']
OGB = ["4\n1\n2\n", "4\n0\n1\n", "0,1\n1,2\n2,0\n2,3\n0,1\n", "5,0\n6,0\n5,1\n7,0\n5,0\n5,2\n6,2\n",
       "10\n11\n12\n13\n14\n", "1\n0\n1\n", "0\n", "2\n", "1\n"]
GEOM = ["node_id\tfeature\tlabel\n2\t0,0,1\t2\n0\t1,0,1\t0\n1\t0,0,0\t2\n3\t1,1,1\t4\n",
        "node_id\tnode_id\n0\t1\n1\t0\n2\t3\n2\t3\n3\t3\n"]
SPLITS = ['{"splits": [{"train": [0, 1], "validation": [2], "test": [3]}]}',
          '[{"test": [0], "model_selection": [{"train": [1], "valid": [2]}, {"train": [2], "val": [1]}]}]',
          '{"unit": "pair", "directed": true, "new_links": false, "splits": [{"train": [[0, 1], [2, 1]], "val": [[1, 0]], "test": [[3, 0]]}]}']
CONLLU = ("1-2\tal\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\ta\tADP\t_\t_\t2\tcase\t_\t_\n2\tmar\tmar\tNOUN\t_\t_\t0\troot\t_\t_\n"
          "2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
PRODUCTS = ("# x\nTotal items: 2\n\nId:   0\nASIN: A\n  discontinued product\n\nId:   1\nASIN: B\n  title: T: x\n"
            "  group: Book\n  salesrank: 3\n  similar: 2  A  C\n  categories: 1\n   |Books[1]|X[2]\n"
            "  reviews: total: 1  downloaded: 1  avg rating: 4.5\n"
            "    2000-7-28  cutomer: A2  rating: 5  votes:  1  helpful:   0\n\n")


def seeds():
    masks = [npy(np.isin(np.arange(4), nodes), "i4") for nodes in [[0], [2], [1, 3]]]
    packed = lambda text: gzip.compress(text.encode(), mtime=0)
    return {
        "zip": zips(), "npy": npys(), "gnn_benchmark": gnn_benchmark(), "heterophilous": heterophilous(),
        "wiki_cs_json": wiki_cs_json(), "pyg_npz": pyg(), "wikipedia": wikipedia(), "torch": torch(),
        "planetoid": planetoid(),
        "pickle": {f.name: f.read_bytes() for f in FIXTURES.iterdir()
                   if f.suffix == ".pickle" or f.name in ["ind.tiny0.graph", "ind.tiny2.graph"]},
        "mat": {f.stem: f.read_bytes() for f in FIXTURES.glob("*.mat")},
        "graphml": {"networkx": (FIXTURES / "networkx.graphml").read_bytes()},
        "text_graph": {"all": parts(*TEXT), "least": parts(*TEXT[:2])},
        "table_graph": {"both": parts("id,x,label\nann,1,tea\n\"b,ob\",-2.5,\ncy,1e3,ale\n",
                                      "src,dst,weight\nann,\"b,ob\",1\ncy,ann,0.5\n")},
        "tu": {"all": parts(*TU), "least": parts(*TU[:3]), "tasks": parts("1,nan\n0,1\n", *TU[1:3])},
        "ogb_graphs": {"all": parts(*OGB), "least": parts(*OGB[:3], "", "", "1,\n,0\n0,1\n")},
        "ogb_nodes": {"all": parts(*NODES), "least": parts(*NODES[:3])},
        "geom_gcn": {"split": parts(*GEOM, *masks), "plain": parts(*GEOM),
                     "listed": parts("node_id\tfeature\tlabel\n0\t3,7\t0\n1\t\t1\n", GEOM[1].split("\n")[0] + "\n0\t1\n")},
        "smiles": {"label": b"smiles,label\nCCO,yes\nC,no\nc1ccccc1,yes\n", "tasks": b"id,a,smiles,b\nx,1,C[C@H](F)Cl,\ny,,C/C=C\\C,0\nz,0,[Na+].[Cl-],1\n"},
        "edge_list": {"plain": b"# by hand\n0 1\n 1\t2 \r\n2,0\n\n2147483646 7\n"},
        "split_json": {"plain": SPLITS[0].encode(), "folds": SPLITS[1].encode(),
                       "pairs": SPLITS[2].encode()},
        "raw_text": {"text": b"t" + CONLLU.encode(), "vectors": b"v3 2\nthe 0.1 -2\nof 1e-3 4 \n\xff 1 2\n",
                     "products": b"p" + PRODUCTS.encode(), "packed": b"t" + packed(CONLLU)},
    }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: make_seeds.py FOLDER")
    for target, inputs in seeds().items():
        folder = pathlib.Path(sys.argv[1], target)
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in inputs.items():
            (folder / name).write_bytes(content)
